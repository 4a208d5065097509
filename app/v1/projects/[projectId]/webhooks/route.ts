import { serve } from "@/lib/api/serve"
import { createWebhook } from "@/lib/webhooks/create-webhook"
import { listWebhooks } from "@/lib/webhooks/list-webhooks"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(listWebhooks, createWebhook)
