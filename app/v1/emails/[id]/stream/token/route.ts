import { serve } from "@/lib/api/serve"
import { issueStreamToken } from "@/lib/stream/issue-stream-token"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(issueStreamToken)
