import { z } from "zod"
import type { Api } from "@/lib/api/registry"
import { call, type FieldNames, like, given } from "@/lib/faces/face"
import { ResendAnswer, listed, listQuery } from "@/lib/faces/resend/list"
import { endpoint } from "@/lib/platform/http/endpoint"
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateWebhookSecret,
  updateWebhook,
} from "@/lib/webhooks/api"

export const ResendWebhook = z.strictObject({
  endpoint: z.string().describe("`url`."),
  events: z.array(z.string()).describe("`events`. Their `data` has our fields."),
})

const WebhookChange = ResendWebhook.partial().extend({ status: z.enum(["enabled", "disabled"]).optional() })

const names: FieldNames = { url: "endpoint", enabled: "status" }

type Webhook = Api["GET /v1/projects/{projectId}/webhooks/{endpointId}"]["answer"]
const shown = ({ id, url, events, enabled, createdAt }: Webhook): ResendAnswer => ({
  ...{ id, endpoint: url, events, status: enabled ? "enabled" : "disabled", created_at: createdAt },
})

const answers = [200, ResendAnswer] as const

export const resendWebhooks = [
  endpoint({
    ...like(createWebhook),
    route: "POST /resend/webhooks",
    operationId: "resendCreateWebhook",
    summary: "Register a webhook",
    body: ResendWebhook,
    answers,

    async run(scope, { body }, io) {
      const webhook = { url: body.endpoint, events: body.events }
      const { id, secret } = await call(scope, createWebhook, { body: webhook, names }, io)
      return { object: "webhook", id, signing_secret: secret }
    },
  }),
  endpoint({
    ...like(listWebhooks),
    route: "GET /resend/webhooks",
    operationId: "resendListWebhooks",
    summary: "List webhooks",
    strictQuery: true,
    query: listQuery,
    answers,
    run: (scope, { query }, io) => listed(query, (page) => call(scope, listWebhooks, { query: page }, io), shown),
  }),
  endpoint({
    ...like(getWebhook),
    route: "GET /resend/webhooks/{endpointId}",
    operationId: "resendGetWebhook",
    summary: "Get a webhook, without its secret",
    answers,
    run: async (scope, { path }, io) => ({ object: "webhook", ...shown(await call(scope, getWebhook, { path }, io)) }),
  }),
  endpoint({
    ...like(updateWebhook),
    route: "PATCH /resend/webhooks/{endpointId}",
    operationId: "resendUpdateWebhook",
    summary: "Update a webhook",
    body: WebhookChange,
    answers,

    async run(scope, { path, body: { endpoint: url, events, status } }, io) {
      const change = given({ url, events, enabled: status === undefined ? undefined : status === "enabled" })
      const { id } = await call(scope, updateWebhook, { path, body: change, names }, io)
      return { object: "webhook", id }
    },
  }),
  endpoint({
    ...like(deleteWebhook),
    route: "DELETE /resend/webhooks/{endpointId}",
    operationId: "resendDeleteWebhook",
    summary: "Delete a webhook",
    answers,

    async run(scope, { path }, io) {
      await call(scope, deleteWebhook, { path }, io)
      return { object: "webhook", id: path.endpointId, deleted: true }
    },
  }),
  endpoint({
    ...like(rotateWebhookSecret),
    route: "POST /resend/webhooks/{endpointId}/signing-secret/rotate",
    operationId: "resendRotateWebhookSecret",
    summary: "Rotate the secret of a webhook",
    answers,

    async run(scope, { path }, io) {
      const { id, secret } = await call(scope, rotateWebhookSecret, { path }, io)
      return { object: "webhook", id, signing_secret: secret }
    },
  }),
] as const
