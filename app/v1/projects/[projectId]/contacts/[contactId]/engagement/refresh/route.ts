import { serve } from "@/lib/api/serve"
import { refreshContactEngagementScore } from "@/lib/contacts/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(refreshContactEngagementScore)
