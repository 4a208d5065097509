import { serve } from "@/lib/api/serve"
import { batchSendEmails } from "@/lib/emails/batch-send-emails"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(batchSendEmails)
