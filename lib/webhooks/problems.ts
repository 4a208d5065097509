import { problem } from "@/lib/platform/http/problem"

export const webhookMissing = problem(
  "webhook.not_found",
  404,
  "Webhook not found",
  "This project has no such webhook.",
)

export const deliveryMissing = problem(
  "webhook_delivery.not_found",
  404,
  "Webhook delivery not found",
  "This webhook has no such delivery.",
)
