import { serve } from "@/lib/api/serve"
import { createDomain, listDomains } from "@/lib/domains/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(listDomains, createDomain)
