import { serve } from "@/lib/api/serve"
import { listContactsInTopic } from "@/lib/topics/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(listContactsInTopic)
