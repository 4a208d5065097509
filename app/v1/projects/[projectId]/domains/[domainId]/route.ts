import { serve } from "@/lib/api/serve"
import { deleteDomain, getDomain, updateDomain } from "@/lib/domains/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getDomain, updateDomain, deleteDomain)
