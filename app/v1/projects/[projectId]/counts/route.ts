import { serve } from "@/lib/api/serve"
import { getProjectCounts } from "@/lib/metrics/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getProjectCounts)
