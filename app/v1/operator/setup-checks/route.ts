import { serve } from "@/lib/api/serve"
import { checkSendingSetup, getSendingSetup } from "@/lib/delivery/setup/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getSendingSetup, checkSendingSetup)
