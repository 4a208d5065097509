import { acceptInvite } from "@/lib/access/invites/api"
import { serve } from "@/lib/api/serve"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(acceptInvite)
