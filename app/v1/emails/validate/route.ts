import { validateLinks } from "@/lib/emails/links/api"
import { serve } from "@/lib/api/serve"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(validateLinks)
