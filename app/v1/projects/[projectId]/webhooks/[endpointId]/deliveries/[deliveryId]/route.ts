import { serve } from "@/lib/api/serve"
import { getWebhookDelivery } from "@/lib/webhooks/history/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getWebhookDelivery)
