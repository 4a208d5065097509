import { serve } from "@/lib/api/serve"
import { getTopicPerformance } from "@/lib/metrics/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getTopicPerformance)
