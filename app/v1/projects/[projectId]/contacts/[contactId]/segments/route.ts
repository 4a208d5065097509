import { serve } from "@/lib/api/serve"
import { addContactToSegment, listContactSegments } from "@/lib/contacts/memberships/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(listContactSegments, addContactToSegment)
