import { serve } from "@/lib/api/serve"
import { createTopic, listTopics } from "@/lib/topics/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(listTopics, createTopic)
