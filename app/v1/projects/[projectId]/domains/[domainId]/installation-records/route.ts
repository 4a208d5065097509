import { serve } from "@/lib/api/serve"
import { getInstallationRecords } from "@/lib/domains/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getInstallationRecords)
