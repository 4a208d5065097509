import { serve } from "@/lib/api/serve"
import { cancelEmails } from "@/lib/delivery/scheduling/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(cancelEmails)
