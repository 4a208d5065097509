import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"
import { topicMissing } from "@/lib/topics/problems"
import { Topic } from "@/lib/topics/schema"
import * as topics from "@/lib/topics/store"

export const getTopic = endpoint({
  route: "GET /v1/projects/{projectId}/topics/{topicId}",
  operationId: "getTopic",
  tag: "Topics",
  summary: "Get topic",
  description: "One topic with its default subscription and visibility.",
  access: allow("contacts:read"),
  bucket: buckets.topics,
  path: { topicId: { prefix: "top", missing: topicMissing } },
  answers: [200, Topic],
  problems: [projectMissing, topicMissing],

  async run(scope, { path }) {
    const topic = await topics.findTopic(scope, path.topicId)
    if (!topic) throw topicMissing()
    return topic
  },
})
