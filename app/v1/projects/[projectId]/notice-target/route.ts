import { serve } from "@/lib/api/serve"
import { deleteNoticeTarget, getNoticeTarget, setNoticeTarget } from "@/lib/projects/notices/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(
  getNoticeTarget,
  setNoticeTarget,
  deleteNoticeTarget,
)
