import { serve } from "@/lib/api/serve"
import { getContactEngagementScore } from "@/lib/contacts/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getContactEngagementScore)
