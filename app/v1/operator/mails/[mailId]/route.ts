import { serve } from "@/lib/api/serve"
import { getOperatorMail } from "@/lib/inbound/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getOperatorMail)
