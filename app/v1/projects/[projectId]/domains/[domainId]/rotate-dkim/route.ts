import { serve } from "@/lib/api/serve"
import { rotateDkim } from "@/lib/domains/rotation/rotate-dkim"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(rotateDkim)
