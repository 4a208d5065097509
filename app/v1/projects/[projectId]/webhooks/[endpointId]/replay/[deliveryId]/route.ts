import { serve } from "@/lib/api/serve"
import { replayWebhookDelivery } from "@/lib/webhooks/history/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(replayWebhookDelivery)
