import { serve } from "@/lib/api/serve"
import { exportSuppressions } from "@/lib/suppressions/export-suppressions"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(exportSuppressions)
