import { getMemberPolicy, updateMemberPolicy } from "@/lib/access/organization/api"
import { serve } from "@/lib/api/serve"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getMemberPolicy, updateMemberPolicy)
