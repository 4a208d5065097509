import { serve } from "@/lib/api/serve"
import { listTemplates, createTemplate } from "@/lib/emails/templates/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(listTemplates, createTemplate)
