import { serve } from "@/lib/api/serve"
import { cancelEmail } from "@/lib/delivery/scheduling/cancel-email"
import { getEmail } from "@/lib/emails/get-email"
import { rescheduleEmail } from "@/lib/emails/reschedule-email"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(cancelEmail, getEmail, rescheduleEmail)
