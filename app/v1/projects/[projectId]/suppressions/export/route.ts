import { serve } from "@/lib/api/serve"
import { exportSuppressions } from "@/lib/suppressions/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(exportSuppressions)
