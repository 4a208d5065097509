import { serve } from "@/lib/api/serve"
import { getEmailRaw } from "@/lib/emails/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getEmailRaw)
