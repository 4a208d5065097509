import { requestSignInLink } from "@/lib/access/request-sign-in-link"
import { serve } from "@/lib/api/serve"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(requestSignInLink)
