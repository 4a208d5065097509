import { silentDns } from "@/e2e/support/silent-dns"
import { api, type Call, type World } from "@/e2e/support/world"
import { pool } from "@/lib/platform/database/db"
import { decodeId, encodeId, newId } from "@/lib/platform/ids"

/** A webhook of the tests, and a delivery that failed. */
export type Webhooks = { webhookId: string; deliveryId: string }

export async function addWebhook(world: World): Promise<Webhooks> {
  const { status, json } = await api("POST /v1/projects/{projectId}/webhooks", {
    key: world.apiKey,
    params: { projectId: world.project },
    body: { url: "https://hooks.example.com/mailroom", events: ["email.delivered"] },
    io: { dns: silentDns },
  })
  if (status !== 201) throw new Error(`The webhook was refused: ${JSON.stringify(json)}`)
  const id = newId()
  await pool().query(
    `INSERT INTO webhook_deliveries (id, project_id, webhook_id, event_id, event_type, body, status, attempt_count, last_error)
      VALUES ($1, $2, $3, $4, 'email.delivered', '{}', 'failed', 10, 'The endpoint answered 500.')`,
    [id, world.projectId, decodeId("whk", json.id), newId()],
  )
  return { webhookId: json.id, deliveryId: encodeId("whd", id) }
}

export const webhookExamples: Record<string, (own: Webhooks) => Pick<Call, "params" | "body" | "io">> = {
  listWebhooks: () => ({}),
  createWebhook: () => ({
    io: { dns: silentDns },
    body: {
      url: "https://hooks.example.com/orders",
      events: ["email.bounced", "email.complained"],
      filters: [{ field: "data.to", operator: "contains", value: "@lovelace.example" }],
      transformations: [{ type: "add_field", field: "data.source", value: "mailroom" }],
    },
  }),
  getWebhook: ({ webhookId }) => ({ params: { endpointId: webhookId } }),
  getWebhookHealth: ({ webhookId }) => ({ params: { endpointId: webhookId } }),
  previewWebhook: () => ({
    body: {
      events: ["email.sent", "email.delivered"],
      filters: [{ field: "data.to", operator: "contains", value: "@lovelace.example" }],
      transformations: [{ type: "rename_field", from: "data.to", to: "data.recipient" }],
    },
  }),
  updateWebhook: ({ webhookId }) => ({
    params: { endpointId: webhookId },
    body: { name: "Orders" },
    io: { dns: silentDns },
  }),
  deleteWebhook: ({ webhookId }) => ({ params: { endpointId: webhookId } }),
  rotateWebhookSecret: ({ webhookId }) => ({ params: { endpointId: webhookId } }),
  listWebhookDeliveries: ({ webhookId }) => ({ params: { endpointId: webhookId } }),
  getWebhookDelivery: ({ webhookId, deliveryId }) => ({ params: { endpointId: webhookId, deliveryId } }),
  testWebhook: ({ webhookId }) => ({ params: { endpointId: webhookId } }),
  replayWebhookDelivery: ({ webhookId, deliveryId }) => ({ params: { endpointId: webhookId, deliveryId } }),
  replayWebhookDeliveries: ({ webhookId }) => ({
    params: { endpointId: webhookId },
    body: { since: "2026-11-01T00:00:00Z", include: "all" },
  }),
}
