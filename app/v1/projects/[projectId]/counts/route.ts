import { serve } from "@/lib/api/serve"
import { getProjectCounts } from "@/lib/metrics/get-project-counts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getProjectCounts)
