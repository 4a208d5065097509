import { serve } from "@/lib/api/serve"
import { duplicateBroadcast } from "@/lib/broadcasts/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(duplicateBroadcast)
