import { removeMember } from "@/lib/access/remove-member"
import { updateMember } from "@/lib/access/update-member"
import { serve } from "@/lib/api/serve"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(updateMember, removeMember)
