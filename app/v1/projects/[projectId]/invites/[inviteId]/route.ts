import { revokeInvite } from "@/lib/access/invites/revoke-invite"
import { serve } from "@/lib/api/serve"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(revokeInvite)
