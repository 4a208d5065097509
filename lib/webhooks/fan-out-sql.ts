import type { Queryable } from "@/lib/platform/database/db"
import { newId } from "@/lib/platform/ids"
import { payloadOf, webhookTypeOf, type SourceEvent } from "@/lib/webhooks/payload"

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
