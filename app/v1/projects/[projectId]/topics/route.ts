import { serve } from "@/lib/api/serve"
import { createTopic } from "@/lib/topics/create-topic"
import { listTopics } from "@/lib/topics/list-topics"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(listTopics, createTopic)
