import { serve } from "@/lib/api/serve"
import { replayWebhookDelivery } from "@/lib/webhooks/replay-webhook-delivery"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(replayWebhookDelivery)
