import { serve } from "@/lib/api/serve"
import { deleteProject, getProject, updateProject } from "@/lib/projects/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getProject, updateProject, deleteProject)
