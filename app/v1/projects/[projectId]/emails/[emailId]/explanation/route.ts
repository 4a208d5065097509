import { serve } from "@/lib/api/serve"
import { getEmailExplanation } from "@/lib/explanation/get-email-explanation"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getEmailExplanation)
