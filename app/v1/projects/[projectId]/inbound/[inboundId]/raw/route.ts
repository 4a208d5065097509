import { serve } from "@/lib/api/serve"
import { getReceivedEmailRaw } from "@/lib/received/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getReceivedEmailRaw)
