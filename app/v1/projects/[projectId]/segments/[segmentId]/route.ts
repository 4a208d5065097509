import { serve } from "@/lib/api/serve"
import { deleteSegment } from "@/lib/segments/delete-segment"
import { getSegment } from "@/lib/segments/get-segment"
import { updateSegment } from "@/lib/segments/update-segment"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getSegment, updateSegment, deleteSegment)
