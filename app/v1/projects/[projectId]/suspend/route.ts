import { serve } from "@/lib/api/serve"
import { suspendProject } from "@/lib/projects/suspend-project"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(suspendProject)
