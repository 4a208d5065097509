import { serve } from "@/lib/api/serve"
import { getInboundRoute, updateInboundRoute, deleteInboundRoute } from "@/lib/received/routes/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(
  getInboundRoute,
  updateInboundRoute,
  deleteInboundRoute,
)
