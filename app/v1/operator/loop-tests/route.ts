import { serve } from "@/lib/api/serve"
import { createLoopTest } from "@/lib/inbound/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(createLoopTest)
