import { problem } from "@/lib/platform/problem"

export const topicMissing = problem("topic.not_found", 404, "Topic not found", "This project has no such topic.")
