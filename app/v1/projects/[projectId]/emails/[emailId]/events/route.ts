import { serve } from "@/lib/api/serve"
import { getEmailTimeline } from "@/lib/emails/get-email-timeline"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getEmailTimeline)
