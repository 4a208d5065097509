import { serve } from "@/lib/api/serve"
import { createSegment } from "@/lib/segments/create-segment"
import { listSegments } from "@/lib/segments/list-segments"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(listSegments, createSegment)
