import { serve } from "@/lib/api/serve"
import { listTemplateVersions } from "@/lib/emails/templates/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(listTemplateVersions)
