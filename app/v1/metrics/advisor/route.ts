import { serve } from "@/lib/api/serve"
import { getMetricsAdvisor } from "@/lib/metrics/advisor/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getMetricsAdvisor)
