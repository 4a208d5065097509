import { serve } from "@/lib/api/serve"
import { createEgressAddress, listEgressAddresses } from "@/lib/delivery/egress/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(listEgressAddresses, createEgressAddress)
