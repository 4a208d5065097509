import { getRequest } from "@/lib/api-keys/usage/api"
import { serve } from "@/lib/api/serve"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getRequest)
