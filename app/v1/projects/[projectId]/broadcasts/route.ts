import { serve } from "@/lib/api/serve"
import { createBroadcast } from "@/lib/broadcasts/create-broadcast"
import { listBroadcasts } from "@/lib/broadcasts/list-broadcasts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(listBroadcasts, createBroadcast)
