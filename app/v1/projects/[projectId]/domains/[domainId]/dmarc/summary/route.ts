import { getDmarcSummary } from "@/lib/domains/dmarc/api"
import { serve } from "@/lib/api/serve"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getDmarcSummary)
