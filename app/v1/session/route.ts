import { getSession } from "@/lib/access/credentials/get-session"
import { updateSession } from "@/lib/access/credentials/update-session"
import { serve } from "@/lib/api/serve"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getSession, updateSession)
