import { serve } from "@/lib/api/serve"
import { createSegment, listSegments } from "@/lib/segments/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(listSegments, createSegment)
