import { serve } from "@/lib/api/serve"
import { deleteEgressAddress, getEgressAddress, updateEgressAddress } from "@/lib/delivery/egress/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(
  getEgressAddress,
  updateEgressAddress,
  deleteEgressAddress,
)
