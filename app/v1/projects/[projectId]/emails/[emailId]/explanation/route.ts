import { serve } from "@/lib/api/serve"
import { getEmailExplanation } from "@/lib/explanation/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getEmailExplanation)
