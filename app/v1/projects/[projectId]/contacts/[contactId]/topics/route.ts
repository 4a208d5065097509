import { serve } from "@/lib/api/serve"
import { getContactTopics, updateContactTopics } from "@/lib/contacts/memberships/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getContactTopics, updateContactTopics)
