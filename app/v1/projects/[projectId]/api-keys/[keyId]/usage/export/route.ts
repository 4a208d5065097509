import { exportApiKeyUsage } from "@/lib/api-keys/export-api-key-usage"
import { serve } from "@/lib/api/serve"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(exportApiKeyUsage)
