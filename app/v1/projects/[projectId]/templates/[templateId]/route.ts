import { serve } from "@/lib/api/serve"
import { getTemplate, updateTemplate, deleteTemplate } from "@/lib/emails/templates/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getTemplate, updateTemplate, deleteTemplate)
