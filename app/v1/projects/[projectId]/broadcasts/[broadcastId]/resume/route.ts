import { serve } from "@/lib/api/serve"
import { resumeBroadcast } from "@/lib/broadcasts/resume-broadcast"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(resumeBroadcast)
