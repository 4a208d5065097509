import { serve } from "@/lib/api/serve"
import { getProjectEmail } from "@/lib/emails/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getProjectEmail)
