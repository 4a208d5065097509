import { serve } from "@/lib/api/serve"
import { getEmailEngagement } from "@/lib/metrics/emails/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getEmailEngagement)
