import { createInvite } from "@/lib/access/invites/create-invite"
import { listInvites } from "@/lib/access/invites/list-invites"
import { serve } from "@/lib/api/serve"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(listInvites, createInvite)
