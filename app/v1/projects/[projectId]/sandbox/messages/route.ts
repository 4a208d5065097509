import { serve } from "@/lib/api/serve"
import { listSandboxMessages } from "@/lib/sandbox/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(listSandboxMessages)
