import { serve } from "@/lib/api/serve"
import { resumeBroadcast } from "@/lib/broadcasts/sending/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(resumeBroadcast)
