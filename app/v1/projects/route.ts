import { serve } from "@/lib/api/serve"
import { listProjects } from "@/lib/projects/list-projects"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(listProjects)
