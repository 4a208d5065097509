import { serve } from "@/lib/api/serve"
import { removeSuppression } from "@/lib/suppressions/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(removeSuppression)
