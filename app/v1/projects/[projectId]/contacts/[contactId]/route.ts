import { serve } from "@/lib/api/serve"
import { deleteContact, getContact, updateContact } from "@/lib/contacts/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(deleteContact, getContact, updateContact)
