import { serve } from "@/lib/api/serve"
import { cancelEmail } from "@/lib/delivery/scheduling/api"
import { getEmail } from "@/lib/emails/api"
import { rescheduleEmail } from "@/lib/emails/schedule/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(cancelEmail, getEmail, rescheduleEmail)
