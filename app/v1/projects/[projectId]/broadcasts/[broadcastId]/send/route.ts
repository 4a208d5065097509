import { serve } from "@/lib/api/serve"
import { sendBroadcast } from "@/lib/broadcasts/sending/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(sendBroadcast)
