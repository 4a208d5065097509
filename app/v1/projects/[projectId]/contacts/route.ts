import { serve } from "@/lib/api/serve"
import { createContact, listContacts, upsertContact } from "@/lib/contacts/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(createContact, listContacts, upsertContact)
