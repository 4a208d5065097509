import { serve } from "@/lib/api/serve"
import { bulkCancelEmails } from "@/lib/delivery/scheduling/api"
import { sendEmail } from "@/lib/emails/send/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(bulkCancelEmails, sendEmail)
