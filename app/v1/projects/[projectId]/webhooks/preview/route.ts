import { serve } from "@/lib/api/serve"
import { previewWebhook } from "@/lib/webhooks/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(previewWebhook)
