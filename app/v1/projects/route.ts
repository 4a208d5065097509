import { serve } from "@/lib/api/serve"
import { createProject } from "@/lib/projects/create-project"
import { listProjects } from "@/lib/projects/list-projects"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(listProjects, createProject)
