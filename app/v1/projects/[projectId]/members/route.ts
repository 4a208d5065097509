import { listMembers } from "@/lib/access/people/api"
import { serve } from "@/lib/api/serve"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(listMembers)
