import { deleteContactImage } from "@/lib/contacts/images/delete-contact-image"
import { setContactImageUrl } from "@/lib/contacts/images/set-contact-image-url"
import { uploadContactImage } from "@/lib/contacts/images/upload-contact-image"
import { serve } from "@/lib/api/serve"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(
  uploadContactImage,
  setContactImageUrl,
  deleteContactImage,
)
