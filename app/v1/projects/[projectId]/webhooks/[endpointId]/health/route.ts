import { serve } from "@/lib/api/serve"
import { getWebhookHealth } from "@/lib/webhooks/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getWebhookHealth)
