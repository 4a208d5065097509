import { serve } from "@/lib/api/serve"
import { rotateWebhookSecret } from "@/lib/webhooks/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(rotateWebhookSecret)
