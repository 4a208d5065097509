import { serve } from "@/lib/api/serve"
import { deleteTopic } from "@/lib/segments/delete-topic"
import { getTopic } from "@/lib/topics/get-topic"
import { updateTopic } from "@/lib/topics/update-topic"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(getTopic, updateTopic, deleteTopic)
