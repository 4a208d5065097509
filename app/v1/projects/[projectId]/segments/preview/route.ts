import { serve } from "@/lib/api/serve"
import { previewSegment } from "@/lib/segments/preview-segment"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(previewSegment)
