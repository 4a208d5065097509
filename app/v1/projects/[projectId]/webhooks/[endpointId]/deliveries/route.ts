import { serve } from "@/lib/api/serve"
import { listWebhookDeliveries } from "@/lib/webhooks/list-webhook-deliveries"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(listWebhookDeliveries)
