import { serve } from "@/lib/api/serve"
import { listContactImportErrors } from "@/lib/contacts/imports/list-contact-import-errors"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(listContactImportErrors)
