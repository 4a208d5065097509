import { serve } from "@/lib/api/serve"
import { deleteContactProperty } from "@/lib/contacts/properties/delete-contact-property"
import { getContactProperty } from "@/lib/contact-properties/get-contact-property"
import { updateContactProperty } from "@/lib/contact-properties/update-contact-property"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(
  getContactProperty,
  updateContactProperty,
  deleteContactProperty,
)
