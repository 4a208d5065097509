import { createApiKey } from "@/lib/api-keys/create-api-key"
import { listApiKeys } from "@/lib/api-keys/list-api-keys"
import { serve } from "@/lib/api/serve"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(listApiKeys, createApiKey)
