import { serve } from "@/lib/api/serve"
import { getEmailEngagement } from "@/lib/metrics/get-email-engagement"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getEmailEngagement)
