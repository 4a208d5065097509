import { serve } from "@/lib/api/serve"
import { getContactEngagementScore } from "@/lib/contacts/engagement/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getContactEngagementScore)
