import { getTlsSummary } from "@/lib/domains/tls-reports/api"
import { serve } from "@/lib/api/serve"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getTlsSummary)
