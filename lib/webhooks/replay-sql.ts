import { avoid } from "@/lib/platform/database/planner-sql"
import { db } from "@/lib/platform/database/scoped-db"
import { newId } from "@/lib/platform/ids"
import { shapingFaults } from "@/lib/webhooks/rules"
import type { Scope } from "@/lib/platform/http/scope"

const unshaped = Object.keys(shapingFaults)

/** Events that one replay of a range takes at most. */
export const replayMax = 10_000

type Range = { since: Date; until?: Date | undefined; include: "undelivered" | "all" }

/**
 * The last delivery of each event of a range that is not waiting already; at most one more than `replayMax`. Raw,
 * because Prisma has neither DISTINCT ON nor a condition over other rows of the table.
 */
export async function replayable(scope: Scope, webhookId: string, range: Range): Promise<string[]> {
  const { since, until = null, include } = range
  const rows = await db(scope).$transaction(async (tx) => {
    // With statistics that are older than its deliveries, PostgreSQL would compare each of them with every other.
    await avoid(["nestloop"], tx)
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

/**
 * Replays these deliveries, in the order of their events; of two replays at the same time one is enough. What failed at the
 * webhook's transformations goes there again: its body is the event before them. Raw, because Prisma cannot copy rows.
 */
export async function replayAll(scope: Scope, webhookId: string, ids: readonly string[]): Promise<void> {
  await db(scope).$executeRaw`
    WITH given AS (
      SELECT g.new_id, d.*, d.attempt = 0 AND coalesce(d.last_error, '') = ANY (${unshaped}::text[]) AS unshaped
        FROM unnest(${ids}::uuid[], ${ids.map(newId)}::uuid[]) AS g(id, new_id)
        JOIN webhook_deliveries d ON d.project_id = ${scope.project.id}::uuid AND d.webhook_id = ${webhookId}::uuid AND d.id = g.id
    ), shaping AS (
      INSERT INTO webhook_shapings (id, project_id, webhook_id, event_id, event_type, body)
        SELECT id, project_id, webhook_id, event_id, event_type, body FROM given WHERE unshaped ON CONFLICT (id) DO NOTHING
    )
    INSERT INTO webhook_deliveries (id, project_id, webhook_id, event_id, event_type, replay, body, status, due_at)
      SELECT new_id, project_id, webhook_id, event_id, event_type,
          (SELECT max(r.replay) + 1 FROM webhook_deliveries r WHERE r.webhook_id = d.webhook_id AND r.event_id = d.event_id),
          body, 'pending', now()
        FROM given d WHERE NOT unshaped
      ON CONFLICT (webhook_id, event_id, replay) DO NOTHING`
}
