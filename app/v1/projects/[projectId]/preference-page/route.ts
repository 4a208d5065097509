import { serve } from "@/lib/api/serve"
import { previewPreferencePage } from "@/lib/tracking/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(previewPreferencePage)
