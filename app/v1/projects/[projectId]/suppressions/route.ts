import { serve } from "@/lib/api/serve"
import { addSuppression } from "@/lib/suppressions/add-suppression"
import { listSuppressions } from "@/lib/suppressions/list-suppressions"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(listSuppressions, addSuppression)
