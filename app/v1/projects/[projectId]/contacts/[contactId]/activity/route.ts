import { serve } from "@/lib/api/serve"
import { getContactActivity } from "@/lib/contacts/insight/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getContactActivity)
