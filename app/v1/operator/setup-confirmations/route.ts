import { serve } from "@/lib/api/serve"
import { confirmSetupRow } from "@/lib/delivery/setup/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(confirmSetupRow)
