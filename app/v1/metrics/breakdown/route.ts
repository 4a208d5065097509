import { serve } from "@/lib/api/serve"
import { getMetricsBreakdown } from "@/lib/metrics/get-metrics-breakdown"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getMetricsBreakdown)
