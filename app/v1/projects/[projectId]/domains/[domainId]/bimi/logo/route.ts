import { getBimiLogo } from "@/lib/domains/bimi/api"
import { serve } from "@/lib/api/serve"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getBimiLogo)
