import { serve } from "@/lib/api/serve"
import { getZoneFile } from "@/lib/domains/records/get-zone-file"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getZoneFile)
