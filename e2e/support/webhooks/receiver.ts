import { dispatchAll } from "@/lib/worker/dispatcher"
import { api, type World } from "@/e2e/support/world"
import { pool } from "@/lib/platform/database/db"
import { decodeId, newId } from "@/lib/platform/ids"
import { createReach } from "@/lib/platform/networks"
import type { OutboundGuard } from "@/lib/platform/outbound/target"

/** Takes loopback as an allowed network, as ALLOW_PRIVATE_WEBHOOKS=127.0.0.0/8 would. */
export const local: OutboundGuard = { reach: createReach([{ address: "127.0.0.0", prefix: 8 }]), allowsPrivate: true }

/** A webhook of the project whose endpoint is a server of the test. */
export async function newWebhook(
  world: World,
  url: string,
  body: object = {},
): Promise<{ id: string; secret: string }> {
  const { json } = await api("POST /v1/projects/{projectId}/webhooks", {
    key: world.apiKey,
    params: { projectId: world.project },
    body: { url: "https://8.8.8.8/", events: ["email.sent", "email.delivered", "email.bounced"], ...body },
  })
  const id = decodeId("whk", json.id) ?? ""
  await pool().query("UPDATE webhooks SET url = $2 WHERE id = $1", [id, url])
  return { id, secret: json.secret }
}

/** Writes events of the project and dispatches them; answers their ids. */
export async function dispatched(world: World, count: number, type = "delivered"): Promise<string[]> {
  const ids = Array.from({ length: count }, newId)
  await pool().query(
    `INSERT INTO events (id, project_id, email_id, type, data, occurred_at)
      SELECT id, $2, gen_random_uuid(), $3, '{"to":"ada@lovelace.example"}', now() FROM unnest($1::uuid[]) AS given(id)`,
    [ids, world.projectId, type],
  )
  await dispatchAll()
  return ids
}

export type StoredDelivery = {
  status: string
  attempt_count: number
  attempt: number
  waitSeconds: number | null
  last_error: string | null
  last_error_facts: object | null
  last_status_code: number | null
  response_snippet: string | null
}

export async function deliveriesOf(webhookId: string): Promise<StoredDelivery[]> {
  const { rows } = await pool().query<StoredDelivery>(
    `SELECT *, extract(epoch FROM due_at - now())::float8 AS "waitSeconds" FROM webhook_deliveries
      WHERE webhook_id = $1 ORDER BY id`,
    [webhookId],
  )
  return rows
}
