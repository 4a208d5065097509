import { serve } from "@/lib/api/serve"
import { exportEmails } from "@/lib/emails/log/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(exportEmails)
