import { serve } from "@/lib/api/serve"
import { getContactImportSample } from "@/lib/contacts/imports/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getContactImportSample)
