import { serve } from "@/lib/api/serve"
import { deleteBroadcast, getBroadcast, updateBroadcast } from "@/lib/broadcasts/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getBroadcast, updateBroadcast, deleteBroadcast)
