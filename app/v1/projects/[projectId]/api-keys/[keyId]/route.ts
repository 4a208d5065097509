import { getApiKey } from "@/lib/api-keys/get-api-key"
import { revokeApiKey } from "@/lib/api-keys/revoke-api-key"
import { updateApiKey } from "@/lib/api-keys/update-api-key"
import { serve } from "@/lib/api/serve"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getApiKey, updateApiKey, revokeApiKey)
