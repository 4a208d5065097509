import { serve } from "@/lib/api/serve"
import { deleteTopic } from "@/lib/segments/api"
import { getTopic, updateTopic } from "@/lib/topics/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getTopic, updateTopic, deleteTopic)
