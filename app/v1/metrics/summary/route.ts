import { serve } from "@/lib/api/serve"
import { getProjectMetricsSummary } from "@/lib/metrics/get-project-metrics-summary"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getProjectMetricsSummary)
