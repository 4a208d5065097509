import { serve } from "@/lib/api/serve"
import { deleteContact } from "@/lib/contacts/delete-contact"
import { getContact } from "@/lib/contacts/get-contact"
import { updateContact } from "@/lib/contacts/update-contact"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(deleteContact, getContact, updateContact)
