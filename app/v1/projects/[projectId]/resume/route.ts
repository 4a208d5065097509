import { serve } from "@/lib/api/serve"
import { resumeProject } from "@/lib/projects/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(resumeProject)
