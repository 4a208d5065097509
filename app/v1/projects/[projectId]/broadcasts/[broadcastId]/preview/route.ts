import { serve } from "@/lib/api/serve"
import { previewStoredBroadcast } from "@/lib/broadcasts/preview/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(previewStoredBroadcast)
