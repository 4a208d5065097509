import { serve } from "@/lib/api/serve"
import { getContactImport } from "@/lib/contacts/imports/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getContactImport)
