import { serve } from "@/lib/api/serve"
import { deleteDomain } from "@/lib/domains/registration/delete-domain"
import { getDomain } from "@/lib/domains/get-domain"
import { updateDomain } from "@/lib/domains/registration/update-domain"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getDomain, updateDomain, deleteDomain)
