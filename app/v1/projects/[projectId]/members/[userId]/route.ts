import { removeMember } from "@/lib/access/people/remove-member"
import { updateMember } from "@/lib/access/people/update-member"
import { serve } from "@/lib/api/serve"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(updateMember, removeMember)
