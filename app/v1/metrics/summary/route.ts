import { serve } from "@/lib/api/serve"
import { getProjectMetricsSummary } from "@/lib/metrics/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getProjectMetricsSummary)
