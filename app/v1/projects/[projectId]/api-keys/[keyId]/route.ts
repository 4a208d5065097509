import { getApiKey } from "@/lib/api-keys/get-api-key"
import { revokeApiKey } from "@/lib/api-keys/revoke-api-key"
import { serve } from "@/lib/api/serve"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getApiKey, revokeApiKey)
