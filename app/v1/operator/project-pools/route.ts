import { serve } from "@/lib/api/serve"
import { listProjectPools, setProjectPool } from "@/lib/delivery/egress/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(listProjectPools, setProjectPool)
