import { serve } from "@/lib/api/serve"
import { resumeProject } from "@/lib/projects/resume-project"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(resumeProject)
