import { serve } from "@/lib/api/serve"
import { deleteSandboxMessage, getSandboxMessage } from "@/lib/sandbox/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getSandboxMessage, deleteSandboxMessage)
