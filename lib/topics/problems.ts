import { problem } from "@/lib/platform/http/problem"

export const topicMissing = problem("topic.not_found", 404, "Topic not found", "This project has no such topic.")
