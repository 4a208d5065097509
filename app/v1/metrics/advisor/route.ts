import { serve } from "@/lib/api/serve"
import { getMetricsAdvisor } from "@/lib/metrics/advisor/get-metrics-advisor"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getMetricsAdvisor)
