import { serve } from "@/lib/api/serve"
import { testNoticeTarget } from "@/lib/projects/notices/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(testNoticeTarget)
