import { serve } from "@/lib/api/serve"
import { previewSegment } from "@/lib/segments/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(previewSegment)
