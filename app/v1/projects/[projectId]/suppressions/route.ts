import { serve } from "@/lib/api/serve"
import { addSuppression, listSuppressions } from "@/lib/suppressions/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(listSuppressions, addSuppression)
