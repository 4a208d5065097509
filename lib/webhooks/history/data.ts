import { databaseTime } from "@/lib/platform/database/clock-sql"
import { avoid } from "@/lib/platform/database/bounded-reads-sql"
import { db, type InProject, type ScopedDb } from "@/lib/platform/database/scoped-db"
import { shown } from "@/lib/platform/database/shape"
import { counted, type PageRequest, sliceOf } from "@/lib/platform/http/paging"
import type { Scope } from "@/lib/platform/http/scope"
import { encodeId, firstIdAt, newId } from "@/lib/platform/ids"
import { present } from "@/lib/platform/schema"
import { findWebhook } from "@/lib/webhooks/data"
import { storedFailureText, type WebhookAttemptRecord } from "@/lib/webhooks/delivery/outcome"
import { requestHeaders } from "@/lib/webhooks/delivery/worker"
import { shaped, testPayload } from "@/lib/webhooks/payload"
import { shapingFaults, type Payload, type WebhookEvent } from "@/lib/webhooks/rules"
import type { WebhookDelivery } from "@/lib/webhooks/schema"
import type { Prisma } from "@/prisma/generated/client"

const shape = {
  id: true,
  projectId: true,
  webhookId: true,
  eventId: true,
  eventType: true,
  replay: false,
  body: true,
  status: true,
  attempt: false,
  attemptCount: true,
  dueAt: true,
  lastError: true,
  lastErrorFacts: true,
  lastStatusCode: true,
  responseSnippet: true,
  attempts: true,
  createdAt: true,
  updatedAt: true,
} as const satisfies Record<Prisma.WebhookDeliveryScalarFieldEnum, boolean>

type Row = Prisma.WebhookDeliveryGetPayload<{ select: typeof shape }>

export type DeliveryFilter = {
  status?: string | undefined
  before?: string | undefined
  since?: Date | undefined
  until?: Date | undefined
}

/** A delivery's id and its time differ by the length of a transaction at most; the id alone is in the index. */
const idToleranceMs = 60_000
const idTolerance = `${idToleranceMs} ms`

/** Newest first, without payloads and attempts; null when there is no such webhook. */
export async function listDeliveries(
  scope: Scope,
  webhookId: string,
  { status, before, since, until, ...request }: PageRequest & DeliveryFilter,
): Promise<{ data: WebhookDelivery[]; total: number } | null> {
  const where = {
    webhookId,
    ...(status && { status }),
    AND: [
      ...(before ? [{ id: { lt: before } }] : []),
      ...(since
        ? [{ createdAt: { gte: since }, id: { gte: firstIdAt(new Date(since.getTime() - idToleranceMs)) } }]
        : []),
      ...(until
        ? [{ createdAt: { lte: until }, id: { lt: firstIdAt(new Date(until.getTime() + idToleranceMs)) } }]
        : []),
    ],
  }
  const reading = db(scope).webhookDelivery.findMany({
    where,
    select: shape,
    orderBy: { id: "desc" },
    ...sliceOf(request),
  })
  const [webhook, { rows, total }] = await Promise.all([
    findWebhook(scope, webhookId),
    counted(request, reading, () => db(scope).webhookDelivery.count({ where })),
  ])
  return (
    webhook && { data: rows.map((row) => ({ ...toDelivery(row), payload: undefined, attempts: undefined })), total }
  )
}

/** Deliveries of these events to every webhook of the project, newest first, without payloads; at most `most`. */
export async function findDeliveriesOf(
  scope: Scope,
  eventIds: readonly string[],
  most: number,
): Promise<WebhookDelivery[]> {
  // By webhook as well, because the index begins with it.
  const webhooks = await db(scope).webhook.findMany({ where: { deletedAt: null }, select: { id: true } })
  const rows = await db(scope).webhookDelivery.findMany({
    where: { webhookId: { in: webhooks.map(({ id }) => id) }, eventId: { in: [...eventIds] } },
    select: shape,
    orderBy: { id: "desc" },
    take: most,
  })
  return rows.map((row) => ({ ...toDelivery(row), payload: undefined }))
}

export async function findDelivery(scope: Scope, webhookId: string, id: string): Promise<WebhookDelivery | null> {
  const row = await db(scope).webhookDelivery.findUnique({
    where: { id, webhookId, webhook: { deletedAt: null } },
    select: shape,
  })
  return row && toDelivery(row)
}

/** Queues a synthetic event, whatever the webhook subscribes to; null when there is no such webhook. */
export async function addTest(scope: Scope, webhookId: string): Promise<WebhookDelivery | null> {
  return db(scope).$transaction(async (tx) => {
    const webhook = await findWebhook(scope, webhookId, tx)
    if (!webhook) return null
    const [now, eventId] = [await databaseTime(tx), newId()]
    const payload = testPayload({ eventId, projectId: scope.project.id, now })
    const { body, fault } = shaped(payload, { transformations: webhook.transformations })
    const data = fault
      ? { body: JSON.stringify(payload), status: "failed", lastError: fault }
      : { body, status: "pending", dueAt: now }
    const row = await tx.webhookDelivery.create({
      data: { id: newId(), webhookId, eventId, eventType: "webhook.test", ...data },
      select: shape,
    })
    return toDelivery(row)
  })
}

/**
 * Queues an event that belongs to one webhook and is not among those that the dispatcher orders. False where the webhook does not take
 * it: it is deleted or disabled, or neither its types nor its filters let it through.
 */
export async function addEvent(
  scope: InProject,
  webhookId: string,
  { eventId, type, payload }: { eventId: string; type: WebhookEvent; payload: Payload },
  tx: ScopedDb,
): Promise<boolean> {
  const webhook = await findWebhook(scope, webhookId, tx)
  if (!webhook?.enabled || !webhook.events.includes(type)) return false
  const { failing, body, fault } = shaped(payload, webhook)
  if (failing !== -1) return false
  const now = await databaseTime(tx)
  const data = fault
    ? { body: JSON.stringify(payload), status: "failed", lastError: fault }
    : { body, status: "pending", dueAt: now }
  // Whoever asks for it twice at once gets one.
  await tx.webhookDelivery.createMany({
    data: { id: newId(), webhookId, eventId, eventType: type, ...data },
    skipDuplicates: true,
  })
  return true
}

/**
 * Replays a delivery with the same event id and body: one that waits is due at once, any other gets a new delivery. False
 * where there is no such delivery.
 */
export async function replayDelivery(scope: Scope, webhookId: string, id: string): Promise<boolean> {
  const original = await findDelivery(scope, webhookId, id)
  if (original?.status === "pending") {
    const now = await databaseTime()
    await db(scope).webhookDelivery.updateMany({
      where: { id, status: "pending" },
      data: { dueAt: now, updatedAt: now },
    })
  } else if (original) await replayAll(scope, webhookId, [id])
  return original !== null
}

/** `finish` alone writes this column. */
function attemptsOf({ attempts, eventId }: Pick<Row, "attempts" | "eventId">): WebhookDelivery["attempts"] {
  return (attempts as WebhookAttemptRecord[]).map(
    ({ at: text, durationMs, statusCode, error: code, errorFacts, signature }) => {
      const at = new Date(text)
      const headers = signature === undefined ? undefined : requestHeaders(encodeId("evt", eventId), at, signature)
      const error = code === undefined ? undefined : storedFailureText(code, errorFacts)
      return { at, durationMs, statusCode, error, requestHeaders: headers }
    },
  )
}

function toDelivery({ webhookId, body, attemptCount, dueAt, lastError, lastErrorFacts, ...row }: Row): WebhookDelivery {
  return shown<WebhookDelivery>()({
    id: row.id,
    projectId: row.projectId,
    webhookEndpointId: webhookId,
    eventId: row.eventId,
    eventType: row.eventType,
    status: row.status,
    attemptCount,
    lastStatusCode: present(row.lastStatusCode),
    lastError: present(lastError && storedFailureText(lastError, lastErrorFacts)),
    responseBodySnippet: present(row.responseSnippet),
    // While an attempt is under way, the due time is the end of its lease.
    nextAttemptAt: row.status === "pending" ? present(dueAt) : undefined,
    payload: body,
    attempts: attemptsOf(row),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  })
}

// Raw, because Prisma has neither DISTINCT ON nor a condition over other rows of the table.

const unshaped = Object.keys(shapingFaults)

/** Events that one replay of a range takes at most. */
export const replayMax = 10_000

type Range = { since: Date; until?: Date | undefined; include: "undelivered" | "all" }

/** The last delivery of each event of a range that is not waiting already, of those that the list has for the same times; at most one more than `replayMax`. */
export async function replayable(scope: Scope, webhookId: string, range: Range): Promise<string[]> {
  const { since, until = null, include } = range
  const rows = await db(scope).$transaction(async (tx) => {
    // With statistics that are older than its deliveries, PostgreSQL would compare each of them with every other.
    await avoid(["nestloop"], tx)
    return tx.$queryRaw<{ id: string }[]>`
    SELECT DISTINCT ON (d.event_id) d.id FROM webhook_deliveries d
      WHERE d.project_id = ${scope.project.id}::uuid AND d.webhook_id = ${webhookId}::uuid
        AND d.created_at >= ${since}::timestamptz AND d.id >= first_id_at(${since}::timestamptz - ${idTolerance}::interval)
        AND (${until}::timestamptz IS NULL
          OR d.created_at <= ${until}::timestamptz AND d.id < first_id_at(${until}::timestamptz + ${idTolerance}::interval))
        AND d.event_type <> 'webhook.test'
        AND NOT EXISTS (SELECT 1 FROM webhook_deliveries r WHERE r.webhook_id = d.webhook_id AND r.event_id = d.event_id
          AND (r.status IN ('pending', 'processing') OR r.status = 'success' AND ${include}::text = 'undelivered'))
      ORDER BY d.event_id, d.replay DESC LIMIT ${replayMax + 1}::int`
  })
  return rows.map(({ id }) => id)
}

/**
 * Replays these deliveries, in the order of their events; of two replays at the same time one is enough. What failed at the
 * webhook's transformations goes there again: its body is the event before them.
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
