import { serve } from "@/lib/api/serve"
import { getTopicPerformance } from "@/lib/metrics/get-topic-performance"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getTopicPerformance)
