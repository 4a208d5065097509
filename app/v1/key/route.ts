import { getOwnApiKey } from "@/lib/api-keys/get-own-api-key"
import { serve } from "@/lib/api/serve"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getOwnApiKey)
