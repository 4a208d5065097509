import { type Queryable, transaction } from "@/lib/platform/database/db"
import { distinctIds, firstId } from "@/lib/platform/database/bounded-reads-sql"
import { tryLock } from "@/lib/platform/database/locks-sql"
import { idTime, newId } from "@/lib/platform/ids"
import { runRepeatedly } from "@/lib/platform/jobs/leases"
import { log } from "@/lib/platform/log"
import { disable, failsTooLong, failingSince } from "@/lib/webhooks/delivery/data"
import { payloadOf, shaped, type SourceEvent, webhookTypeOf } from "@/lib/webhooks/payload"
import type { EventFilter, Payload, ShapingFault, Transformation } from "@/lib/webhooks/rules"

// On pg instead of Prisma: the dispatcher runs these in the transaction that orders events, for all projects.

/** `shapes`: it has filters or transformations, which run later (`shaping.ts`). */
type Subscriber = { id: string; projectId: string; events: string[]; shapes: boolean }

type Delivery = { webhookId: string; eventId: string; type: string; body: string; shapes: boolean }

/**
 * Queues deliveries of dispatched events to the webhooks that subscribe to them: one read of an index for a whole round, and
 * one write if anybody is to get anything. The body is stored as it will be signed and sent, at every attempt; nothing that a
 * webhook describes is worked out here, because all events of all projects wait for this transaction.
 */
export async function fanOut(client: Queryable, events: readonly SourceEvent[]): Promise<void> {
  const deliverable = events.filter((event) => webhookTypeOf(event))
  if (!deliverable.length) return
  const subscribers = await subscribersOf(client, [...new Set(deliverable.map(({ projectId }) => projectId))])
  if (!subscribers.size) return
  const deliveries = deliverable.flatMap((event) => deliveriesOf(event, subscribers.get(event.projectId) ?? []))
  const plain = deliveries.filter(({ shapes }) => !shapes)
  const shaping = deliveries.filter(({ shapes }) => shapes)
  if (plain.length) await insert(client, plain)
  if (shaping.length) await insertShapings(client, shaping)
}

/** Those of an event to the webhooks that have subscribed to it. Its text is made once. */
function deliveriesOf(event: SourceEvent, subscribers: readonly Subscriber[]): Delivery[] {
  const type = webhookTypeOf(event)
  const wanting = type ? subscribers.filter(({ events }) => events.includes(type)) : []
  if (!type || !wanting.length) return []
  const body = JSON.stringify(payloadOf(event, type))
  return wanting.map(({ id, shapes }) => ({ webhookId: id, eventId: event.id, type, body, shapes }))
}

async function subscribersOf(client: Queryable, projectIds: string[]): Promise<Map<string, Subscriber[]>> {
  const { rows } = await client.query<Subscriber>({
    name: "webhooks.subscribers",
    text: `SELECT id, project_id AS "projectId", coalesce(events, '{}') AS events,
        coalesce(filters, '[]') <> '[]' OR coalesce(transformations, '[]') <> '[]' AS shapes
      FROM webhooks WHERE project_id = ANY ($1) AND disabled_at IS NULL AND deleted_at IS NULL`,
    values: [projectIds],
  })
  const found = new Map<string, Subscriber[]>()
  for (const row of rows) found.set(row.projectId, [...(found.get(row.projectId) ?? []), row])
  return found
}

async function insert(client: Queryable, deliveries: readonly Delivery[]): Promise<void> {
  await client.query({
    name: "webhooks.fan_out",
    // A webhook whose row was removed meanwhile is left out: the order of events must not depend on it.
    text: `INSERT INTO webhook_deliveries (id, project_id, webhook_id, event_id, event_type, body, status, due_at)
      SELECT g.id, w.project_id, w.id, g.event_id, g.type, g.body, 'pending', now()
        FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[]) AS g(id, webhook_id, event_id, type, body)
        JOIN webhooks w ON w.id = g.webhook_id FOR KEY SHARE OF w
      ON CONFLICT (webhook_id, event_id, replay) DO NOTHING`,
    values: columnsOf(deliveries),
  })
}

async function insertShapings(client: Queryable, deliveries: readonly Delivery[]): Promise<void> {
  await client.query({
    name: "webhooks.fan_out_shapings",
    text: `INSERT INTO webhook_shapings (id, project_id, webhook_id, event_id, event_type, body)
      SELECT g.id, w.project_id, w.id, g.event_id, g.type, g.body
        FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[]) AS g(id, webhook_id, event_id, type, body)
        JOIN webhooks w ON w.id = g.webhook_id FOR KEY SHARE OF w`,
    values: columnsOf(deliveries),
  })
}

function columnsOf(deliveries: readonly Delivery[]) {
  return [
    deliveries.map(newId),
    deliveries.map(({ webhookId }) => webhookId),
    deliveries.map(({ eventId }) => eventId),
    deliveries.map(({ type }) => type),
    deliveries.map(({ body }) => body),
  ]
}

// On pg instead of Prisma, as the fan-out before it: for all projects, sets of rows moved from one table to the other.

/** Webhooks of one round, and their events, in equal parts. */
const webhooksMax = 20
const rowsMax = 1_000
/** For one webhook, and for all of a round: others' webhooks and mail wait meanwhile. */
const webhookMs = 20
const roundMs = 25
const intervalMs = 50
/** Webhooks among which a round chooses. */
const visitedMax = 1_000

type Webhook = { id: string; organizationId: string }

type Described = {
  filters: EventFilter[] | null
  transformations: Transformation[] | null
  isLive: boolean
  events: Waiting[]
}

/** `isAgain`: it failed here before, and a person replays it. */
type Waiting = { id: string; eventType: string; body: string; isAgain: boolean }
type Result = {
  id: string
  deliveryId: string
  /** When it was ordered, as its id says: however long it waited here, lists by time read both. */
  createdAt: string
  isSent: boolean
  body: string
  fault: ShapingFault | null
}

/**
 * Applies the filters and transformations of webhooks to numbered events until the signal aborts: a few webhooks a round, in
 * turn between organizations, each under limits of its own. A webhook that exceeds them fails alone.
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
  const turns = createTurns()
  let behind = firstId
  // After a failure few, so that a webhook whose events cannot be stored holds up itself alone.
  let most = webhooksMax
  return async () => {
    const ids = await distinctIds(behind, waitingWebhooks)
    const isAll = behind === firstId && ids.length < visitedMax
    behind = ids.length === visitedMax ? (ids.at(-1) ?? firstId) : firstId
    if (ids.length === 0) return !isAll
    try {
      const failing = await transaction((client) => shapeSome(client, ids, turns, most))
      most = Math.min(webhooksMax, 2 * most)
      for (const webhook of failing ?? []) {
        log.warn({ webhookId: webhook.webhookId, reason: "failing" }, "a webhook is disabled")
        await disable(webhook, "failing")
      }
      return failing !== null
    } catch (error) {
      most = 1
      throw error
    }
  }
}

const waitingWebhooks = {
  name: "webhooks.waiting_shapings",
  table: "webhook_shapings",
  column: "webhook_id",
  limit: visitedMax,
}

type Turns = ReturnType<typeof createTurns>

/** Who comes next: organizations in turn, and in each its webhooks in turn. */
function createTurns() {
  /** By organization: what was served last. */
  let served = new Map<string, { nth: number; webhookId: string }>()
  let nth = 0

  return {
    next<One extends Pick<Webhook, "id" | "organizationId">>(waiting: readonly One[], most: number): One[] {
      const lanes = new Map<string, One[]>()
      for (const one of waiting) lanes.set(one.organizationId, [...(lanes.get(one.organizationId) ?? []), one])
      served = new Map([...served].filter(([id]) => lanes.has(id)))
      const order = [...lanes.keys()].sort((a, b) => (served.get(a)?.nth ?? 0) - (served.get(b)?.nth ?? 0))
      for (const [id, lane] of lanes) {
        const last = served.get(id)?.webhookId ?? ""
        lanes.set(id, [...lane.filter((one) => one.id > last), ...lane.filter((one) => one.id <= last)])
      }
      const chosen: One[] = []
      for (let place = 0; chosen.length < Math.min(most, waiting.length); place++)
        for (const id of order) {
          const one = lanes.get(id)?.[place]
          if (one && chosen.length < most) chosen.push(one)
        }
      return chosen
    },
    /** A webhook had its turn. */
    served({ id, organizationId }: Pick<Webhook, "id" | "organizationId">) {
      served.set(organizationId, { nth: (nth += 1), webhookId: id })
    },
  }
}

type Failing = { webhookId: string; projectId: string }

/** For all projects. One worker at a time, so that no event is shaped twice: null for the others. Answers the webhooks that have failed for too long. */
async function shapeSome(client: Queryable, ids: string[], turns: Turns, most: number): Promise<Failing[] | null> {
  if (!(await tryLock("mailroom.shape_webhooks", client))) return null
  const { rows: waiting } = await client.query<Webhook>({
    name: "webhooks.to_shape",
    text: `SELECT w.id, p.organization_id AS "organizationId" FROM webhooks w JOIN projects p ON p.id = w.project_id
      WHERE w.id = ANY ($1)`,
    values: [ids],
  })
  const chosen = turns.next(waiting, most)
  const described = await describe(client, chosen)
  const until = performance.now() + roundMs
  const results: Result[] = []
  for (const webhook of chosen) {
    turns.served(webhook)
    const found = described.get(webhook.id)
    if (found) results.push(...shapedInTime(found))
    if (performance.now() > until) break
  }
  return results.length > 0 ? settle(client, results) : []
}

/** As many of its events as its turn has time for, one at least. */
function shapedInTime(webhook: Described): Result[] {
  const until = performance.now() + webhookMs
  const results: Result[] = []
  for (const row of webhook.events) {
    results.push(resultOf(row, webhook))
    if (performance.now() > until) break
  }
  return results
}

function resultOf({ id, eventType, body: text, isAgain }: Waiting, webhook: Described): Result {
  const deliveryId = isAgain ? newId() : id
  const result = { id, deliveryId, createdAt: new Date(idTime(deliveryId)).toISOString() }
  // A person may test a disabled webhook, and replay an event to it.
  if (!webhook.isLive && !isAgain) return { ...result, isSent: false, body: "", fault: null }
  const filters = eventType === "webhook.test" ? null : webhook.filters
  const { failing, body, fault } = shaped(JSON.parse(text) as Payload, { ...webhook, filters })
  return { ...result, isSent: failing === -1, body: fault ? text : body, fault: fault ?? null }
}

/** Of all projects. */
async function describe(client: Queryable, webhooks: readonly Webhook[]): Promise<Map<string, Described>> {
  const { rows } = await client.query<Described & Webhook>({
    name: "webhooks.shapings",
    text: `SELECT w.id, w.filters, w.transformations, w.disabled_at IS NULL AND w.deleted_at IS NULL AS "isLive",
        (SELECT json_agg(s) FROM (
          SELECT id, event_type AS "eventType", body, EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.id = s.id) AS "isAgain"
            FROM webhook_shapings s WHERE webhook_id = w.id ORDER BY id LIMIT $2) s) AS events
      FROM webhooks w WHERE w.id = ANY ($1)`,
    values: [webhooks.map(({ id }) => id), Math.ceil(rowsMax / webhooks.length)],
  })
  return new Map(rows.map((row) => [row.id, { ...row, events: row.events ?? [] }]))
}

/** For all projects: turns what was shaped into deliveries. One that failed is kept, with its reason. */
async function settle(client: Queryable, results: readonly Result[]): Promise<Failing[]> {
  const { rows } = await client.query<Failing>({
    name: "webhooks.settle_shapings",
    text: `WITH given AS MATERIALIZED (
        SELECT * FROM json_to_recordset($1) AS g(id uuid, "deliveryId" uuid, "createdAt" timestamptz, "isSent" boolean,
          body text, fault text)
      ), taken AS (
        DELETE FROM webhook_shapings s USING given g WHERE s.id = g.id
          RETURNING s.project_id, s.webhook_id, s.event_id, s.event_type, g.id, g."deliveryId", g."createdAt", g."isSent", g.body,
            g.fault
      ), added AS (
        INSERT INTO webhook_deliveries (id, project_id, webhook_id, event_id, event_type, replay, body, status, due_at, last_error,
            created_at)
          SELECT "deliveryId", project_id, webhook_id, event_id, event_type,
              -- Of an event that failed here before, and is replayed.
              CASE WHEN id = "deliveryId" THEN 0 ELSE (SELECT max(r.replay) + 1 FROM webhook_deliveries r
                WHERE r.webhook_id = taken.webhook_id AND r.event_id = taken.event_id) END,
              body, CASE WHEN fault IS NULL THEN 'pending' ELSE 'failed' END, CASE WHEN fault IS NULL THEN now() END, fault,
              "createdAt"
            FROM taken WHERE "isSent"
          ON CONFLICT (webhook_id, event_id, replay) DO NOTHING
      ), failed AS (
        UPDATE webhooks w SET failing_since = ${failingSince}, last_failed_at = now()
          WHERE id IN (SELECT webhook_id FROM taken WHERE fault IS NOT NULL) RETURNING id
      )
      SELECT w.id AS "webhookId", w.project_id AS "projectId" FROM webhooks w JOIN failed USING (id)
        WHERE w.disabled_at IS NULL AND ${failsTooLong}`,
    values: [JSON.stringify(results)],
  })
  return rows
}
