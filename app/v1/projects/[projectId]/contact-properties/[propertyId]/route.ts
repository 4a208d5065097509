import { serve } from "@/lib/api/serve"
import { deleteContactProperty } from "@/lib/contacts/api"
import { getContactProperty, updateContactProperty } from "@/lib/contact-properties/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(
  getContactProperty,
  updateContactProperty,
  deleteContactProperty,
)
