import { requestSignInLink } from "@/lib/access/credentials/api"
import { serve } from "@/lib/api/serve"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(requestSignInLink)
