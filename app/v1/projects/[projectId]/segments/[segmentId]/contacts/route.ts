import { serve } from "@/lib/api/serve"
import { listContactsInSegment } from "@/lib/contacts/memberships/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(listContactsInSegment)
