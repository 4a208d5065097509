import { serve } from "@/lib/api/serve"
import { pauseBroadcast } from "@/lib/broadcasts/pause-broadcast"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(pauseBroadcast)
