import { serve } from "@/lib/api/serve"
import { listEmails } from "@/lib/emails/log/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(listEmails)
