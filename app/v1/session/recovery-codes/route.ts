import { createRecoveryCodes } from "@/lib/access/second-factor/api"
import { serve } from "@/lib/api/serve"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(createRecoveryCodes)
