import { serve } from "@/lib/api/serve"
import { listOperatorMails } from "@/lib/inbound/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(listOperatorMails)
