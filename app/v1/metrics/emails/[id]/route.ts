import { serve } from "@/lib/api/serve"
import { getEmailPerformance } from "@/lib/metrics/emails/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getEmailPerformance)
