import { beginPasskeySignIn } from "@/lib/access/passkeys/api"
import { serve } from "@/lib/api/serve"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(beginPasskeySignIn)
