import { serve } from "@/lib/api/serve"
import { importContacts } from "@/lib/contacts/imports/import-contacts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(importContacts)
