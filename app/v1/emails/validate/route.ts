import { validateLinks } from "@/lib/emails/links/validate-links"
import { serve } from "@/lib/api/serve"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(validateLinks)
