import { deleteContactImage } from "@/lib/contacts/delete-contact-image"
import { setContactImageUrl } from "@/lib/contacts/set-contact-image-url"
import { uploadContactImage } from "@/lib/contacts/upload-contact-image"
import { serve } from "@/lib/api/serve"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(uploadContactImage, setContactImageUrl, deleteContactImage)
