import { serve } from "@/lib/api/serve"
import { exportRejectedRows } from "@/lib/contacts/imports/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(exportRejectedRows)
