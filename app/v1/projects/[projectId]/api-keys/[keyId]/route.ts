import { getApiKey, revokeApiKey, updateApiKey } from "@/lib/api-keys/api"
import { serve } from "@/lib/api/serve"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getApiKey, updateApiKey, revokeApiKey)
