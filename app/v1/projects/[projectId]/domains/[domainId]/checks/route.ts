import { serve } from "@/lib/api/serve"
import { listDomainChecks } from "@/lib/domains/check/list-domain-checks"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(listDomainChecks)
