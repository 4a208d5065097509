import { serve } from "@/lib/api/serve"
import { listRecentEvents } from "@/lib/stream/list-recent-events"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(listRecentEvents)
