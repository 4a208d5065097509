import { serve } from "@/lib/api/serve"
import { getEmailRaw } from "@/lib/emails/get-email-timeline"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getEmailRaw)
