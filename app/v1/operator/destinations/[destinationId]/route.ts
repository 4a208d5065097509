import { serve } from "@/lib/api/serve"
import { getDestination, updateDestination } from "@/lib/delivery/destinations/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getDestination, updateDestination)
