import { serve } from "@/lib/api/serve"
import { batchSendEmails } from "@/lib/emails/send/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(batchSendEmails)
