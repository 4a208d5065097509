import { serve } from "@/lib/api/serve"
import { importSuppressions } from "@/lib/suppressions/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(importSuppressions)
