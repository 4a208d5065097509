import { serve } from "@/lib/api/serve"
import { getReceivedEmail } from "@/lib/received/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getReceivedEmail)
