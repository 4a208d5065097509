import { acceptInvite } from "@/lib/access/invites/accept-invite"
import { serve } from "@/lib/api/serve"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(acceptInvite)
