import { serve } from "@/lib/api/serve"
import { exportEmails } from "@/lib/emails/export-emails"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(exportEmails)
