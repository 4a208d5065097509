import { serve } from "@/lib/api/serve"
import { getProjectRegion } from "@/lib/delivery/get-project-region"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getProjectRegion)
