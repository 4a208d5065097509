import { serve } from "@/lib/api/serve"
import { checkRecipients } from "@/lib/emails/send/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(checkRecipients)
