import { acceptInvite } from "@/lib/access/accept-invite"
import { serve } from "@/lib/api/serve"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(acceptInvite)
