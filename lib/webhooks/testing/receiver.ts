import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Webhook } from "standardwebhooks"
import { api, type World } from "@/e2e/support/world"
import { pool } from "@/lib/platform/database/db"
import { decodeId, newId } from "@/lib/platform/ids"
import { createReach } from "@/lib/platform/outbound/networks"
import type { Guard } from "@/lib/platform/outbound/url"
import { dispatchOnce } from "@/lib/worker/dispatcher"

/** Takes loopback as an allowed network, as ALLOW_PRIVATE_WEBHOOKS=127.0.0.0/8 would. */
export const local: Guard = { reach: createReach([{ address: "127.0.0.0", prefix: 8 }]), allowsPrivate: true }

export type Received = { id: string; headers: Record<string, string>; body: string; at: number }
export type Reaction = (received: Received, response: ServerResponse) => void

export type Receiver = { url: string; received: Received[]; open: () => number; openMax: () => number; close(): void }

/** An HTTP server that keeps what it gets. */
export async function newReceiver(react: Reaction = (_, response) => void response.end("ok")): Promise<Receiver> {
  const received: Received[] = []
  let [open, openMax] = [0, 0]
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    openMax = Math.max(openMax, (open += 1))
    response.on("close", () => (open -= 1))
    const chunks: Buffer[] = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const headers = request.headers as Record<string, string>
      const one = { id: headers["webhook-id"] ?? "", headers, body: Buffer.concat(chunks).toString(), at: Date.now() }
      received.push(one)
      react(one, response)
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${port}/hook`, received, open: () => open, openMax: () => openMax, close }
}

/** What the library of Standard Webhooks says of a request: its payload. Throws where the signature is wrong. */
export function verified(secret: string, { body, headers }: Pick<Received, "body" | "headers">) {
  return new Webhook(secret).verify(body, headers) as { id: string; type: string; data: Record<string, string> }
}

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
  while ((await dispatchOnce()) > 0);
  return ids
}

export type StoredDelivery = {
  status: string
  tries: number
  attempt: number
  waitSeconds: number | null
  last_error: string | null
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
