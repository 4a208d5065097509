import { serve } from "@/lib/api/serve"
import { previewBroadcast } from "@/lib/broadcasts/preview/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(previewBroadcast)
