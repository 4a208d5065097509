import { serve } from "@/lib/api/serve"
import { getReceivedAttachment } from "@/lib/received/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getReceivedAttachment)
