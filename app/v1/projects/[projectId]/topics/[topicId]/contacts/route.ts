import { serve } from "@/lib/api/serve"
import { listContactsInTopic } from "@/lib/topics/list-topic-contacts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(listContactsInTopic)
