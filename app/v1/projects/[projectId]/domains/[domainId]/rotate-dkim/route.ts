import { serve } from "@/lib/api/serve"
import { rotateDkim } from "@/lib/domains/keys/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(rotateDkim)
