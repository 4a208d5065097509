import { serve } from "@/lib/api/serve"
import { replayWebhookDeliveries } from "@/lib/webhooks/history/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(replayWebhookDeliveries)
