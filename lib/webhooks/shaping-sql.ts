import { transaction, type Queryable } from "@/lib/platform/database/db"
import { firstId } from "@/lib/platform/database/distinct-sql"
import { tryLock } from "@/lib/platform/database/locks-sql"
import { runRepeatedly } from "@/lib/platform/jobs/leases"
import { log } from "@/lib/platform/log"
import { disable } from "@/lib/webhooks/delivery/disable-store"
import { failsTooLongAfter } from "@/lib/webhooks/delivery/finish-sql"
import { shaped } from "@/lib/webhooks/payload"
import type { Filter, Payload, ShapingFault, Transformation } from "@/lib/webhooks/rules"

// On pg instead of Prisma, as the fan-out before it: for all projects, sets of rows moved from one table to the other.

/** Events of one webhook in one round, and the time that they may take together: others' webhooks and mail wait meanwhile. */
const roundRows = 200
const roundMs = 25
const intervalMs = 50

type Webhook = {
  id: string
  projectId: string
  filters: Filter[] | null
  transformations: Transformation[] | null
  isLive: boolean
}

type Waiting = { id: string; body: string }
type Result = { id: string; isSent: boolean; body: string; fault: ShapingFault | null }

/**
 * Applies the filters and transformations of webhooks to numbered events until the signal aborts: one webhook a round, in
 * turn, each under limits of its own. A webhook that exceeds them fails alone.
 */
export async function runShaping(signal: AbortSignal): Promise<void> {
  const shape = createShaper()
  await runRepeatedly({
    name: "webhook shaping",
    // Never at once again: between two rounds the worker does its other work.
    round: async () => (await shape()) && "soon",
    intervalMs,
    failurePauseMaxMs: 5_000,
    signal,
  })
}

/** Until nothing waits. */
export async function shapeAll(): Promise<void> {
  const shape = createShaper()
  while (await shape());
}

/** One round: false when nothing waits, or another worker is at it. */
function createShaper(): () => Promise<boolean> {
  let behind = firstId
  return async () => {
    const round = await transaction((client) => shapeNext(client, behind))
    if (!round) return false
    behind = round.webhook?.id ?? firstId
    if (round.failsTooLong && round.webhook) {
      log.warn({ webhookId: round.webhook.id, reason: "failing" }, "a webhook is disabled")
      await disable({ webhookId: round.webhook.id, projectId: round.webhook.projectId }, "failing")
    }
    return true
  }
}

type Round = { webhook?: Webhook; failsTooLong: boolean }

/** One worker at a time, so that no event is shaped twice. Null when nothing waits. */
async function shapeNext(client: Queryable, behind: string): Promise<Round | null> {
  if (!(await tryLock("mailroom.shape_webhooks", client))) return null
  const webhook = await nextWebhook(client, behind)
  // After the last one comes the first again.
  if (!webhook) return behind === firstId ? null : { failsTooLong: false }
  const { rows } = await client.query<Waiting>({
    name: "webhooks.waiting_shapings",
    text: "SELECT id, body FROM webhook_shapings WHERE webhook_id = $1 ORDER BY id LIMIT $2",
    values: [webhook.id, roundRows],
  })
  const until = performance.now() + roundMs
  const results: Result[] = []
  for (const row of rows) {
    results.push(webhook.isLive ? resultOf(row, webhook) : { id: row.id, isSent: false, body: "", fault: null })
    if (performance.now() > until) break
  }
  return { webhook, failsTooLong: await settle(client, webhook.id, results) }
}

function resultOf({ id, body: text }: Waiting, webhook: Webhook): Result {
  const { failing, body, fault } = shaped(JSON.parse(text) as Payload, webhook)
  return { id, isSent: failing === -1, body: fault ? text : body, fault: fault ?? null }
}

async function nextWebhook(client: Queryable, behind: string): Promise<Webhook | undefined> {
  const { rows } = await client.query<Webhook>({
    name: "webhooks.next_to_shape",
    text: `SELECT id, project_id AS "projectId", filters, transformations,
        disabled_at IS NULL AND deleted_at IS NULL AS "isLive"
      FROM webhooks WHERE id = (SELECT webhook_id FROM webhook_shapings WHERE webhook_id > $1 ORDER BY webhook_id, id LIMIT 1)`,
    values: [behind],
  })
  return rows[0]
}

/** Turns what was shaped into deliveries. One that failed is kept, with its reason; answers whether the webhook has failed for too long. */
async function settle(client: Queryable, webhookId: string, results: readonly Result[]): Promise<boolean> {
  const { rows } = await client.query<{ failsTooLong: boolean }>({
    name: "webhooks.settle_shapings",
    text: `WITH given AS MATERIALIZED (
        SELECT * FROM json_to_recordset($2) AS g(id uuid, "isSent" boolean, body text, fault text)
      ), taken AS (
        DELETE FROM webhook_shapings s USING given g WHERE s.id = g.id
          RETURNING s.id, s.project_id, s.webhook_id, s.event_id, s.event_type, g."isSent", g.body, g.fault
      ), added AS (
        INSERT INTO webhook_deliveries (id, project_id, webhook_id, event_id, event_type, body, status, due_at, last_error)
          SELECT id, project_id, webhook_id, event_id, event_type, body, CASE WHEN fault IS NULL THEN 'pending' ELSE 'failed' END,
              CASE WHEN fault IS NULL THEN now() END, fault
            FROM taken WHERE "isSent"
          ON CONFLICT (webhook_id, event_id, replay) DO NOTHING
      )
      UPDATE webhooks SET failing_since = coalesce(failing_since, now())
        WHERE id = $1 AND EXISTS (SELECT 1 FROM given WHERE fault IS NOT NULL)
        RETURNING disabled_at IS NULL AND failing_since < now() - interval '${failsTooLongAfter}' AS "failsTooLong"`,
    values: [webhookId, JSON.stringify(results)],
  })
  return rows[0]?.failsTooLong ?? false
}
