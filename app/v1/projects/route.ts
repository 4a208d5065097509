import { serve } from "@/lib/api/serve"
import { createProject, listProjects } from "@/lib/projects/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(listProjects, createProject)
