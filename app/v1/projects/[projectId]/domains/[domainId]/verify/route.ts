import { serve } from "@/lib/api/serve"
import { verifyDomain } from "@/lib/domains/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(verifyDomain)
