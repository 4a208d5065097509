import { serve } from "@/lib/api/serve"
import { createBroadcast, listBroadcasts } from "@/lib/broadcasts/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(listBroadcasts, createBroadcast)
