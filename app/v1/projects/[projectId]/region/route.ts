import { serve } from "@/lib/api/serve"
import { getProjectRegion } from "@/lib/delivery/regions/get-project-region"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getProjectRegion)
