import { serve } from "@/lib/api/serve"
import { createDomain } from "@/lib/domains/registration/create-domain"
import { listDomains } from "@/lib/domains/list-domains"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(listDomains, createDomain)
