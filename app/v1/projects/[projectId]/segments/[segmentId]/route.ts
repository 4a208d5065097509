import { serve } from "@/lib/api/serve"
import { deleteSegment, getSegment, updateSegment } from "@/lib/segments/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getSegment, updateSegment, deleteSegment)
