import { serve } from "@/lib/api/serve"
import { countEmails } from "@/lib/emails/log/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(countEmails)
