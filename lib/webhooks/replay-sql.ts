import { db } from "@/lib/platform/database/scoped-db"
import { newId } from "@/lib/platform/ids"
import type { Scope } from "@/lib/platform/http/scope"

/** Events that one replay of a range takes at most. */
export const replayMax = 10_000

/**
 * Replays a delivery with the same event id and body: one that waits is due at once, any other gets a new delivery. False
 * where there is no such delivery. Raw, because Prisma cannot copy a row, nor write the database's time.
 */
export async function replayDelivery(scope: Scope, webhookId: string, id: string): Promise<boolean> {
  const [row] = await db(scope).$queryRaw<{ found: boolean }[]>`
    WITH original AS (
      SELECT d.* FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id AND w.deleted_at IS NULL
        WHERE d.project_id = ${scope.project.id}::uuid AND d.webhook_id = ${webhookId}::uuid AND d.id = ${id}::uuid
    ), hurried AS (
      UPDATE webhook_deliveries d SET due_at = now(), updated_at = now() FROM original o
        WHERE d.id = o.id AND o.status = 'pending' AND d.status = 'pending' RETURNING d.id
    ), copied AS (
      INSERT INTO webhook_deliveries (id, project_id, webhook_id, event_id, event_type, replay, body, status, due_at)
        SELECT ${newId()}::uuid, o.project_id, o.webhook_id, o.event_id, o.event_type,
            (SELECT max(r.replay) + 1 FROM webhook_deliveries r WHERE r.webhook_id = o.webhook_id AND r.event_id = o.event_id),
            o.body, 'pending', now()
          FROM original o WHERE o.status <> 'pending'
        -- Of two replays at the same time one is enough.
        ON CONFLICT (webhook_id, event_id, replay) DO NOTHING
    )
    SELECT EXISTS (SELECT 1 FROM original) AS found`
  return row?.found ?? false
}

type Range = { since: Date; until?: Date | undefined; include: "undelivered" | "all" }

/**
 * The last delivery of each event of a range that is not waiting already; at most one more than `replayMax`. Raw,
 * because Prisma has neither DISTINCT ON nor a condition over other rows of the table.
 */
export async function replayable(scope: Scope, webhookId: string, range: Range): Promise<string[]> {
  const { since, until = null, include } = range
  const rows = await db(scope).$transaction(async (tx) => {
    // Above projects: a setting of the transaction. With statistics that are older than its deliveries, PostgreSQL would
    // compare each of them with every other.
    await tx.$queryRaw`SELECT set_config('enable_nestloop', 'off', true)`
    return tx.$queryRaw<{ id: string }[]>`
    SELECT DISTINCT ON (d.event_id) d.id FROM webhook_deliveries d
      WHERE d.project_id = ${scope.project.id}::uuid AND d.webhook_id = ${webhookId}::uuid
        AND d.id >= first_id_at(${since}::timestamptz)
        AND (${until}::timestamptz IS NULL OR d.id < first_id_at(${until}::timestamptz))
        AND d.event_type <> 'webhook.test'
        AND NOT EXISTS (SELECT 1 FROM webhook_deliveries r WHERE r.webhook_id = d.webhook_id AND r.event_id = d.event_id
          AND (r.status IN ('pending', 'processing') OR r.status = 'success' AND ${include}::text = 'undelivered'))
      ORDER BY d.event_id, d.replay DESC LIMIT ${replayMax + 1}::int`
  })
  return rows.map(({ id }) => id)
}

/** Replays these deliveries, in the order of their events. Raw, because Prisma cannot copy rows. */
export async function replayAll(scope: Scope, webhookId: string, ids: readonly string[]): Promise<void> {
  await db(scope).$executeRaw`
    INSERT INTO webhook_deliveries (id, project_id, webhook_id, event_id, event_type, replay, body, status, due_at)
      SELECT g.new_id, d.project_id, d.webhook_id, d.event_id, d.event_type, d.replay + 1, d.body, 'pending', now()
        FROM unnest(${ids}::uuid[], ${ids.map(newId)}::uuid[]) AS g(id, new_id)
        JOIN webhook_deliveries d ON d.project_id = ${scope.project.id}::uuid AND d.webhook_id = ${webhookId}::uuid AND d.id = g.id
      ON CONFLICT (webhook_id, event_id, replay) DO NOTHING`
}
