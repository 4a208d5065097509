import { serve } from "@/lib/api/serve"
import { deleteWebhook, getWebhook, updateWebhook } from "@/lib/webhooks/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getWebhook, updateWebhook, deleteWebhook)
