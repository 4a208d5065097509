import { serve } from "@/lib/api/serve"
import { listReturnedMails } from "@/lib/inbound/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(listReturnedMails)
