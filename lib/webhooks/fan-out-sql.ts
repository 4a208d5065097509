import type { Queryable } from "@/lib/platform/database/db"
import { newId } from "@/lib/platform/ids"
import { payloadOf, shaped, webhookTypeOf, type SourceEvent } from "@/lib/webhooks/payload"
import type { Filter, Transformation } from "@/lib/webhooks/rules"

// On pg instead of Prisma: the dispatcher runs these in the transaction that orders events, for all projects.

type Subscriber = {
  id: string
  projectId: string
  events: string[]
  filters: Filter[] | null
  transformations: Transformation[] | null
}

type Delivery = { webhookId: string; eventId: string; type: string; body: string }

/**
 * Queues deliveries of dispatched events to the webhooks that subscribe to them: one read of an index for a whole round, and
 * one write if anybody is to get anything. The body is stored as it will be signed and sent, at every attempt.
 */
export async function fanOut(client: Queryable, events: readonly SourceEvent[]): Promise<void> {
  const deliverable = events.filter((event) => webhookTypeOf(event))
  if (!deliverable.length) return
  const subscribers = await subscribersOf(client, [...new Set(deliverable.map(({ projectId }) => projectId))])
  if (!subscribers.size) return
  const deliveries = deliverable.flatMap((event) =>
    (subscribers.get(event.projectId) ?? []).flatMap((subscriber) => deliveryOf(event, subscriber) ?? []),
  )
  if (deliveries.length) await insert(client, deliveries)
}

/** Null for an event that the webhook has not subscribed to, or that does not pass its filters. */
function deliveryOf(event: SourceEvent, { id, events, filters, transformations }: Subscriber): Delivery | null {
  const type = webhookTypeOf(event)
  if (!type || !events.includes(type)) return null
  const { failing, body } = shaped(payloadOf(event, type), { filters, transformations })
  return failing === -1 ? { webhookId: id, eventId: event.id, type, body } : null
}

async function subscribersOf(client: Queryable, projectIds: string[]): Promise<Map<string, Subscriber[]>> {
  const { rows } = await client.query<Subscriber>({
    name: "webhooks.subscribers",
    text: `SELECT id, project_id AS "projectId", coalesce(events, '{}') AS events, filters, transformations
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
    values: [
      deliveries.map(newId),
      deliveries.map(({ webhookId }) => webhookId),
      deliveries.map(({ eventId }) => eventId),
      deliveries.map(({ type }) => type),
      deliveries.map(({ body }) => body),
    ],
  })
}
