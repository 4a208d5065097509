import { deleteContactImage, setContactImageUrl, uploadContactImage } from "@/lib/contacts/images/api"
import { serve } from "@/lib/api/serve"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(
  uploadContactImage,
  setContactImageUrl,
  deleteContactImage,
)
