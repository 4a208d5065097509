import { serve } from "@/lib/api/serve"
import { getContactImport } from "@/lib/contacts/imports/get-contact-import"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getContactImport)
