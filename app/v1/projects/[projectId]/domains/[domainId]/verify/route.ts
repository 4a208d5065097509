import { serve } from "@/lib/api/serve"
import { verifyDomain } from "@/lib/domains/check/verify-domain"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(verifyDomain)
