import { serve } from "@/lib/api/serve"
import { getZoneFile } from "@/lib/domains/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getZoneFile)
