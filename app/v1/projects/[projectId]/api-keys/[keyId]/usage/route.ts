import { getApiKeyUsage } from "@/lib/api-keys/get-api-key-usage"
import { serve } from "@/lib/api/serve"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getApiKeyUsage)
