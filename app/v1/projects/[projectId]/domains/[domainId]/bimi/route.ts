import { getBimi } from "@/lib/domains/bimi/get-bimi"
import { updateBimi } from "@/lib/domains/bimi/update-bimi"
import { serve } from "@/lib/api/serve"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getBimi, updateBimi)
