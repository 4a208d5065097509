import { createInvite } from "@/lib/access/create-invite"
import { listInvites } from "@/lib/access/list-invites"
import { serve } from "@/lib/api/serve"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(listInvites, createInvite)
