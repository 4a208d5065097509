import { serve } from "@/lib/api/serve"
import { countRecentEvents } from "@/lib/stream/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(countRecentEvents)
