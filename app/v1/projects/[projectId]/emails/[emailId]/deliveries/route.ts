import { serve } from "@/lib/api/serve"
import { listEmailDeliveries } from "@/lib/emails/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(listEmailDeliveries)
