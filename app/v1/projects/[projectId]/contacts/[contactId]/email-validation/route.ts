import { serve } from "@/lib/api/serve"
import { getContactEmailValidationStatus, recordContactEmailValidation } from "@/lib/contacts/contact-email-validation"

const handlers = serve(getContactEmailValidationStatus, recordContactEmailValidation)
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = handlers
