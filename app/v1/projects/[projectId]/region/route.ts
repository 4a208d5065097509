import { serve } from "@/lib/api/serve"
import { getProjectRegion } from "@/lib/delivery/regions/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getProjectRegion)
