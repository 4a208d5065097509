import { serve } from "@/lib/api/serve"
import { listOperatorNotices } from "@/lib/delivery/notices/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(listOperatorNotices)
