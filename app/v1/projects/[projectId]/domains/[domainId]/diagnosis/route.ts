import { serve } from "@/lib/api/serve"
import { diagnoseDomain } from "@/lib/domains/diagnosis/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(diagnoseDomain)
