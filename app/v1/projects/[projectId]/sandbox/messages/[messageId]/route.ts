import { serve } from "@/lib/api/serve"
import { getSandboxMessage } from "@/lib/sandbox/get-sandbox-message"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getSandboxMessage)
