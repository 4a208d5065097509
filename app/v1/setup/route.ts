import { serve } from "@/lib/api/serve"
import { setUp } from "@/lib/projects/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(setUp)
