import { serve } from "@/lib/api/serve"
import { listInboundRoutes, createInboundRoute } from "@/lib/received/routes/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(listInboundRoutes, createInboundRoute)
