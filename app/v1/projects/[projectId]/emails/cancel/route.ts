import { serve } from "@/lib/api/serve"
import { cancelEmails } from "@/lib/delivery/scheduling/cancel-emails"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(cancelEmails)
