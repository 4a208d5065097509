import { serve } from "@/lib/api/serve"
import { getReturnedMailRaw } from "@/lib/inbound/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getReturnedMailRaw)
