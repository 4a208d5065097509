import { serve } from "@/lib/api/serve"
import { runContactImport } from "@/lib/contacts/imports/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(runContactImport)
