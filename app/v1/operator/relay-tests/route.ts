import { serve } from "@/lib/api/serve"
import { createRelayTest } from "@/lib/inbound/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(createRelayTest)
