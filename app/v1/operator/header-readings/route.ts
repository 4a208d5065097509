import { serve } from "@/lib/api/serve"
import { readReceivedHeaders } from "@/lib/delivery/setup/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(readReceivedHeaders)
