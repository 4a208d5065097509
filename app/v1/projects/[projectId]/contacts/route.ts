import { serve } from "@/lib/api/serve"
import { createContact } from "@/lib/contacts/create-contact"
import { listContacts } from "@/lib/contacts/list-contacts"
import { upsertContact } from "@/lib/contacts/upsert-contact"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(createContact, listContacts, upsertContact)
