import { serve } from "@/lib/api/serve"
import { getProjectSettings } from "@/lib/projects/get-project-settings"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getProjectSettings)
