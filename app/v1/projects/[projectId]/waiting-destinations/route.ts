import { serve } from "@/lib/api/serve"
import { listWaitingDestinations } from "@/lib/delivery/destinations/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(listWaitingDestinations)
