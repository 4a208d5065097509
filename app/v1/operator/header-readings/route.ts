import { serve } from "@/lib/api/serve"
import { readReceivedHeaders } from "@/lib/delivery/setup/headers-api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(readReceivedHeaders)
