import { serve } from "@/lib/api/serve"
import { getContactEmailValidationStatus, recordContactEmailValidation } from "@/lib/contacts/insight/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(
  getContactEmailValidationStatus,
  recordContactEmailValidation,
)
