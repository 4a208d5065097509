import { serve } from "@/lib/api/serve"
import { cancelEmail } from "@/lib/delivery/scheduling/api"
import { getEmail, rescheduleEmail } from "@/lib/emails/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(cancelEmail, getEmail, rescheduleEmail)
