import { serve } from "@/lib/api/serve"
import { previewPreferencePage } from "@/lib/tracking/preview-preference-page"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(previewPreferencePage)
