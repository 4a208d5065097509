import { serve } from "@/lib/api/serve"
import { deleteWebhook } from "@/lib/webhooks/delete-webhook"
import { getWebhook } from "@/lib/webhooks/get-webhook"
import { updateWebhook } from "@/lib/webhooks/update-webhook"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getWebhook, updateWebhook, deleteWebhook)
