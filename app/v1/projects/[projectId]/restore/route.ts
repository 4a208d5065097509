import { serve } from "@/lib/api/serve"
import { restoreProject } from "@/lib/projects/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(restoreProject)
