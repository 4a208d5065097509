import { serve } from "@/lib/api/serve"
import { listPersonNotices } from "@/lib/delivery/notices/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(listPersonNotices)
