import { serve } from "@/lib/api/serve"
import { listBroadcastLinks } from "@/lib/broadcasts/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(listBroadcastLinks)
