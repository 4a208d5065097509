import { serve } from "@/lib/api/serve"
import { deleteBroadcast } from "@/lib/broadcasts/delete-broadcast"
import { getBroadcast } from "@/lib/broadcasts/get-broadcast"
import { updateBroadcast } from "@/lib/broadcasts/update-broadcast"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getBroadcast, updateBroadcast, deleteBroadcast)
