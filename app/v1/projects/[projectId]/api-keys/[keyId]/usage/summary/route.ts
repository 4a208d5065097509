import { getApiKeyUsageSummary } from "@/lib/api-keys/get-api-key-usage-summary"
import { serve } from "@/lib/api/serve"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getApiKeyUsageSummary)
