import { serve } from "@/lib/api/serve"
import { streamEmailEvents } from "@/lib/stream/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(streamEmailEvents)
