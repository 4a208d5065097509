import { serve } from "@/lib/api/serve"
import { findNamed } from "@/lib/search/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(findNamed)
