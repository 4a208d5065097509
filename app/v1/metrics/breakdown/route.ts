import { serve } from "@/lib/api/serve"
import { getMetricsBreakdown } from "@/lib/metrics/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getMetricsBreakdown)
