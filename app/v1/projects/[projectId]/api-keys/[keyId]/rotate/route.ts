import { rotateApiKey } from "@/lib/api-keys/rotate-api-key"
import { serve } from "@/lib/api/serve"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(rotateApiKey)
