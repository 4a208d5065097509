import { insert } from "@/lib/demo/rows-store"
import { idAt, type Seeded } from "@/lib/demo/seeded"
import type { Queryable } from "@/lib/platform/database/db"
import { db } from "@/lib/platform/database/scoped-db"
import { systemRandom } from "@/lib/platform/io"
import { dayMs, hourMs } from "@/lib/platform/time"
import { payloadOf, type SourceEvent } from "@/lib/webhooks/payload"
import { sealSecret } from "@/lib/webhooks/data"

const secretBytes = 32
const keptDays = 7
const secondMs = 1_000

/**
 * A webhook that tells the shop what went wrong, with what it has been sent in the last week. It is added when the events have
 * been dispatched: the dispatcher would send it all of them.
 */
export async function addPastWebhook(client: Queryable, projectId: string, now: Date, random: Seeded): Promise<void> {
  const since = new Date(now.getTime() - 31 * dayMs)
  const id = idAt(since, random)
  const secret = sealSecret(systemRandom.bytes(secretBytes), { id, projectId })
  await insert(client, "webhooks", [
    {
      ...{ id, project_id: projectId, name: "Shop backend", url: "https://shop.harborpine.example/hooks/email" },
      events: ["email.bounced", "email.complained"],
      secret: `\\x${secret.toString("hex")}`,
      ...{ created_at: since, updated_at: since },
    },
  ])
  const events = await db({ project: { id: projectId } }).event.findMany({
    where: { type: { in: ["bounced", "complained"] }, occurredAt: { gt: new Date(now.getTime() - keptDays * dayMs) } },
    select: { id: true, projectId: true, emailId: true, type: true, data: true, occurredAt: true },
    orderBy: { id: "asc" },
  })
  const deliveries = events.map((event) => deliveryOf(event as SourceEvent, id, random))
  await insert(client, "webhook_deliveries", deliveries)
  await insert(client, "webhook_hours", hoursOf(deliveries, { projectId, webhookId: id }))
}

/** Nearly all were taken at once; a few by the second attempt. */
function deliveryOf(event: SourceEvent, webhookId: string, random: Seeded) {
  const type = event.type === "bounced" ? "email.bounced" : "email.complained"
  const at = new Date(event.occurredAt.getTime() + secondMs)
  const again = random.chance(0.04)
  const failed = { at: at.toISOString(), durationMs: random.whole(900, 2_000), statusCode: 503 }
  const taken = {
    at: new Date(at.getTime() + (again ? 30 : 0) * secondMs).toISOString(),
    durationMs: random.whole(40, 260),
    statusCode: 200,
  }
  const attempts = again ? [failed, taken] : [taken]
  return {
    ...{ id: idAt(at, random), project_id: event.projectId, webhook_id: webhookId, event_id: event.id },
    ...{ event_type: type, replay: 0, body: JSON.stringify(payloadOf(event, type)), status: "success" },
    ...{ attempt: attempts.length, attempt_count: attempts.length, attempts, due_at: null },
    ...{ last_status_code: 200, last_error: null, response_snippet: "ok" },
    ...{ created_at: at, updated_at: taken.at },
  }
}

type DeliveryRow = ReturnType<typeof deliveryOf>

/** What the health of the webhook counts, by the hour of the first attempt. */
function hoursOf(
  deliveries: readonly DeliveryRow[],
  { projectId, webhookId }: { projectId: string; webhookId: string },
) {
  const hourOf = ({ created_at }: DeliveryRow) => Math.floor(created_at.getTime() / hourMs) * hourMs
  return [...new Set(deliveries.map(hourOf))].map((hour) => {
    const some = deliveries.filter((delivery) => hourOf(delivery) === hour)
    const again = some.filter(({ attempt_count }) => attempt_count > 1)
    return {
      ...{ project_id: projectId, webhook_id: webhookId, hour: new Date(hour) },
      ...{
        first_succeeded: some.length - again.length,
        first_failed: again.length,
        recovered: again.length,
        failed: 0,
      },
      last_succeeded_at: some.at(-1)?.updated_at,
      last_failed_at: again.at(-1)?.created_at ?? null,
    }
  })
}
