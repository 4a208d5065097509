import { serve } from "@/lib/api/serve"
import { pauseBroadcast } from "@/lib/broadcasts/sending/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(pauseBroadcast)
