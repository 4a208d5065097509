import { listDmarcReports } from "@/lib/domains/dmarc/list-dmarc-reports"
import { uploadDmarcReports } from "@/lib/domains/dmarc/upload-dmarc-reports"
import { serve } from "@/lib/api/serve"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(listDmarcReports, uploadDmarcReports)
