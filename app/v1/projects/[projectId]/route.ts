import { serve } from "@/lib/api/serve"
import { deleteProject } from "@/lib/projects/delete-project"
import { getProject } from "@/lib/projects/get-project"
import { updateProject } from "@/lib/projects/update-project"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getProject, updateProject, deleteProject)
