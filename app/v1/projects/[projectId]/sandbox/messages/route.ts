import { serve } from "@/lib/api/serve"
import { clearSandbox, listSandboxMessages } from "@/lib/sandbox/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(listSandboxMessages, clearSandbox)
