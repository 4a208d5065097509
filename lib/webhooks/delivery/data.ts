import { addSystemAudit } from "@/lib/access/audit/data"
import { changeAndTell } from "@/lib/access/system-mail/data"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { pool, type Queryable, transaction } from "@/lib/platform/database/db"
import { distinctIds, firstId } from "@/lib/platform/database/bounded-reads-sql"
import { tryLock } from "@/lib/platform/database/locks-sql"
import { encodeId } from "@/lib/platform/ids"
import { batchWrites } from "@/lib/platform/jobs/batches"
import { cancelWaiting } from "@/lib/webhooks/data"
import type { ClaimedDelivery, WebhookOutcome } from "@/lib/webhooks/delivery/outcome"

/** Why the worker disables a webhook. */
export type DisabledBy = "gone" | "failing"

/**
 * Disables a webhook, cancels what waits for it, and tells the owners; does nothing where it is disabled already, or has another
 * URL by now than the one that is given.
 */
export async function disable(
  of: { webhookId: string; projectId: string; url?: string },
  reason: DisabledBy,
): Promise<void> {
  const { webhookId, projectId, url } = of
  await changeAndTell(projectId, async (tx, { organizationId }) => {
    const now = await databaseTime(tx)
    const [webhook] = await tx.webhook.updateManyAndReturn({
      where: { id: webhookId, disabledAt: null, deletedAt: null, ...(url !== undefined && { url }) },
      data: { disabledAt: now, disabledReason: reason },
      select: { name: true, url: true },
    })
    if (!webhook) return null
    await cancelWaiting({ project: { id: projectId } }, webhookId, now, tx)
    const changes = { enabled: false, reason }
    const { name } = webhook
    const entry = { action: "webhook.disabled", target: encodeId("whk", webhookId), name, changes } as const
    await addSystemAudit({ organizationId, projectId }, entry, tx)
    const { host } = new URL(webhook.url)
    return {
      notice: { kind: "webhook-disabled", webhook: webhook.name, host, reason },
      page: `webhooks/${encodeId("whk", webhookId)}`,
    }
  })
}

// On pg instead of Prisma: the delivery loop runs these all the time, for all projects.

/** Requests to one endpoint, and of one project, that are under way at the same time, over all workers. */
const perEndpointMax = 5
const perProjectMax = 20
/** Endpoints visited in one claim; the next claim continues after them. */
const visitedMax = 1_000

/**
 * Of the places of a worker, what the deliveries of one organization may take: while others wait, and while nobody else does.
 * A silent endpoint keeps its place for the whole time limit, so some are always left for whoever comes next.
 */
const shareBesideOthers = 0.25
const shareAlone = 0.75

type ClaimOptions = {
  leaseMs: number
  /** Places of this worker. */
  places: number
  /** Those that an organization has taken. */
  taken: ReadonlyMap<string, number>
}

/** Claims due deliveries, rotating over endpoints; each claim is fair between organizations, their projects, and their endpoints. */
export function createWebhookClaim(options: ClaimOptions): (limit: number) => Promise<ClaimedDelivery[]> {
  let behind = firstId
  return async (limit) => {
    const webhookIds = await dueEndpoints(behind)
    behind = webhookIds.length === visitedMax ? (webhookIds.at(-1) ?? firstId) : firstId
    return webhookIds.length ? transaction((client) => claim(client, webhookIds, limit, options)) : []
  }
}

/** Endpoints of all projects with due deliveries. */
function dueEndpoints(behind: string): Promise<string[]> {
  return distinctIds(behind, {
    ...{
      name: "webhooks.due_endpoints",
      table: "webhook_deliveries",
      column: "webhook_id",
      where: "due_at IS NOT NULL",
    },
    also: "EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.webhook_id = walk.id AND d.due_at <= now())",
    limit: visitedMax,
  })
}

type Row = Omit<ClaimedDelivery, "sealedSecrets"> & { secret: Buffer; formerSecret: Buffer | null }

/** One claim at a time, for all projects: what is under way is counted exactly. */
async function claim(
  client: Queryable,
  webhookIds: string[],
  limit: number,
  { leaseMs, places, taken }: ClaimOptions,
): Promise<ClaimedDelivery[]> {
  if (!(await tryLock("mailroom.claim_webhooks", client))) return []
  // A statement of its own: it must see what the holder of the lock before us has claimed.
  const { rows } = await client.query<Row>({
    name: "webhooks.claim",
    text: claimText,
    values: [
      webhookIds,
      limit,
      leaseMs / 1_000,
      [...taken.keys()],
      [...taken.values()],
      Math.ceil(places * shareBesideOthers),
      Math.ceil(places * shareAlone),
    ],
  })
  return rows.map(toClaimed)
}

const underWay = "status = 'processing' AND due_at > now()"

const claimText = `WITH endpoint AS (
    SELECT w.id, w.project_id, p.organization_id, w.disabled_at,
        ${perEndpointMax} - (SELECT count(*) FROM webhook_deliveries WHERE webhook_id = w.id AND ${underWay}) AS room
      FROM webhooks w JOIN projects p ON p.id = w.project_id AND p.deleted_at IS NULL
      WHERE w.id = ANY ($1) AND w.deleted_at IS NULL
  ), project AS (
    SELECT p.id, ${perProjectMax} - (SELECT count(*) FROM webhooks w JOIN webhook_deliveries d ON d.webhook_id = w.id
        AND ${underWay} WHERE w.project_id = p.id) AS room
      FROM (SELECT DISTINCT project_id AS id FROM endpoint) p
  ), due AS (
    SELECT d.id, d.due_at, e.project_id, e.organization_id, row_number() OVER (PARTITION BY e.project_id ORDER BY d.nth, d.due_at) AS nth
      FROM endpoint e CROSS JOIN LATERAL (
        SELECT id, due_at, row_number() OVER (ORDER BY due_at) AS nth FROM webhook_deliveries
          -- A person may test a disabled webhook, and replay a delivery to it.
          WHERE webhook_id = e.id AND due_at <= now()
            AND (e.disabled_at IS NULL OR replay > 0 OR event_type = 'webhook.test')
          ORDER BY due_at LIMIT greatest(0, e.room)) d
  ), fair AS (
    SELECT due.id, due.due_at, due.organization_id,
        row_number() OVER (PARTITION BY due.organization_id ORDER BY due.nth, due.due_at) AS nth
      FROM due JOIN project p ON p.id = due.project_id WHERE due.nth <= p.room
  ), share AS (
    SELECT CASE WHEN count(DISTINCT organization_id) > 1 THEN $6::int ELSE $7::int END AS places FROM fair
  ), chosen AS (
    SELECT fair.id FROM fair CROSS JOIN share
        LEFT JOIN unnest($4::uuid[], $5::int[]) AS taken(organization_id, places) USING (organization_id)
      WHERE fair.nth <= share.places - coalesce(taken.places, 0)
      ORDER BY fair.nth, fair.due_at LIMIT $2
  )
  UPDATE webhook_deliveries d SET status = 'processing', attempt = d.attempt + 1, updated_at = now(),
      due_at = now() + make_interval(secs => $3)
    FROM chosen, webhooks w JOIN projects p ON p.id = w.project_id
    WHERE d.id = chosen.id AND w.id = d.webhook_id AND d.due_at <= now()
    RETURNING d.id, d.project_id AS "projectId", p.organization_id AS "organizationId", d.webhook_id AS "webhookId", d.event_id AS "eventId",
      d.event_type AS "eventType", d.body, d.attempt, d.attempt_count AS "attemptCount", w.url, w.secret,
      CASE WHEN w.former_secret_until > now() THEN w.former_secret END AS "formerSecret"`

function toClaimed({ secret, formerSecret, ...row }: Row): ClaimedDelivery {
  return { ...row, sealedSecrets: formerSecret ? [secret, formerSecret] : [secret] }
}

/** Whether the delivery was still held, and whether its endpoint has only failed for too long. */
export type FinishedDelivery = { held: boolean; failsTooLong: boolean }

/** An endpoint that has only failed for so long is disabled. */
const failsTooLongAfter = "5 days"
/** After a longer silence than between two attempts of a delivery, a failure begins anew. */
const silentAfter = "30 hours"

/** `failing_since` of a webhook `w` that has failed now, which is told from a silence since an earlier failure. */
export const failingSince = `CASE WHEN coalesce(w.last_failed_at, now()) > now() - interval '${silentAfter}'
    THEN coalesce(w.failing_since, now()) ELSE now() END`
/** Whether a webhook `w` that has failed now has only failed for too long. */
export const failsTooLong = `${failingSince} < now() - interval '${failsTooLongAfter}'`

/** An outcome, and where the attempt was made: what a former URL answered says nothing of the present one. */
type OutcomeAt = WebhookOutcome & { url: string }

/** Writes how an attempt ended, fenced by its number; attempts that end together are one statement. */
export const finish = batchWrites<OutcomeAt, FinishedDelivery>(writeAll, { max: 200 })

/** For all projects. */
async function writeAll(outcomes: OutcomeAt[]): Promise<FinishedDelivery[]> {
  const { rows } = await pool().query<{ id: string; failsTooLong: boolean }>({
    name: "webhooks.finish",
    text: `WITH given AS MATERIALIZED (
        SELECT * FROM json_to_recordset($1) AS g(id uuid, attempt int, status text, "waitSeconds" float8, tried int,
          "statusCode" int, error text, "errorFacts" jsonb, snippet text, healthy boolean, record jsonb, url text)
      ), finished AS (
        UPDATE webhook_deliveries d SET status = g.status, due_at = now() + make_interval(secs => g."waitSeconds"),
            attempt_count = d.attempt_count + g.tried, updated_at = now(),
            last_status_code = CASE WHEN g.tried = 1 THEN g."statusCode" ELSE d.last_status_code END,
            last_error = CASE WHEN g.tried = 1 THEN g.error ELSE d.last_error END,
            last_error_facts = CASE WHEN g.tried = 1 THEN g."errorFacts" ELSE d.last_error_facts END,
            response_snippet = CASE WHEN g.tried = 1 THEN g.snippet ELSE d.response_snippet END,
            attempts = CASE WHEN g.tried = 1 THEN d.attempts || jsonb_build_array(g.record) ELSE d.attempts END
          FROM given g WHERE d.id = g.id AND d.attempt = g.attempt AND d.status = 'processing'
          RETURNING d.id, d.project_id, d.webhook_id, d.created_at, d.attempt_count, d.status, g.healthy, g.url
      ), health AS (
        -- A test that succeeds shows that the endpoint works; one that fails says nothing of real events.
        SELECT f.webhook_id, bool_or(f.status = 'success') AS healthy
          FROM finished f JOIN webhooks w ON w.id = f.webhook_id AND w.url = f.url
          WHERE f.healthy IS NOT NULL OR f.status = 'success' GROUP BY f.webhook_id
      ), changed AS (
        UPDATE webhooks w SET failing_since = CASE WHEN NOT h.healthy THEN ${failingSince} END,
            last_failed_at = CASE WHEN h.healthy THEN w.last_failed_at ELSE now() END
          FROM health h WHERE w.id = h.webhook_id AND ((w.failing_since IS NULL) <> h.healthy
            OR NOT h.healthy AND coalesce(w.last_failed_at < now() - interval '1 hour', true))
      ), counted AS (
        INSERT INTO webhook_hours AS h (project_id, webhook_id, hour, first_succeeded, first_failed, recovered, failed,
            last_succeeded_at, last_failed_at)
          SELECT project_id, webhook_id, date_trunc('hour', created_at, 'UTC'), count(*) FILTER (WHERE attempt_count = 1 AND healthy),
              count(*) FILTER (WHERE attempt_count = 1 AND NOT healthy), count(*) FILTER (WHERE attempt_count > 1 AND healthy),
              count(*) FILTER (WHERE status = 'failed'), CASE WHEN bool_or(healthy) THEN now() END,
              CASE WHEN NOT bool_and(healthy) THEN now() END
            FROM finished WHERE healthy IS NOT NULL GROUP BY 1, 2, 3
            -- In one order, so that statements of two workers cannot wait for each other.
            ORDER BY 2, 3
          ON CONFLICT (webhook_id, hour) DO UPDATE SET first_succeeded = h.first_succeeded + excluded.first_succeeded,
            first_failed = h.first_failed + excluded.first_failed, recovered = h.recovered + excluded.recovered,
            failed = h.failed + excluded.failed, last_succeeded_at = coalesce(excluded.last_succeeded_at, h.last_succeeded_at),
            last_failed_at = coalesce(excluded.last_failed_at, h.last_failed_at)
      )
      SELECT f.id, coalesce(NOT h.healthy AND ${failsTooLong}, false) AS "failsTooLong"
        FROM finished f JOIN webhooks w ON w.id = f.webhook_id LEFT JOIN health h ON h.webhook_id = f.webhook_id`,
    values: [JSON.stringify(outcomes)],
  })
  const found = new Map(rows.map(({ id, failsTooLong }) => [id, failsTooLong]))
  return outcomes.map(({ id }) => ({ held: found.has(id), failsTooLong: found.get(id) ?? false }))
}
