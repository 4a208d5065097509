import { serve } from "@/lib/api/serve"
import { createWebhook, listWebhooks } from "@/lib/webhooks/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(listWebhooks, createWebhook)
