import { serve } from "@/lib/api/serve"
import { getEmailTimeline } from "@/lib/emails/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getEmailTimeline)
