import { listAuditEntries } from "@/lib/access/audit/api"
import { serve } from "@/lib/api/serve"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(listAuditEntries)
