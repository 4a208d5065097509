import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"
import { topicMissing } from "@/lib/topics/problems"
import { Topic, TopicChange } from "@/lib/topics/schema"
import * as topics from "@/lib/topics/store"

export const updateTopic = endpoint({
  route: "PATCH /v1/projects/{projectId}/topics/{topicId}",
  operationId: "updateTopic",
  tag: "Topics",
  summary: "Update topic",
  description: "Omitted fields are unchanged; an empty description clears it. The default subscription is permanent.",
  access: allow("contacts:write"),
  bucket: buckets.topics,
  path: { topicId: { prefix: "top", missing: topicMissing } },
  body: TopicChange,
  answers: [200, Topic],
  problems: [requestInvalid, projectMissing, topicMissing],
  example: { body: { name: "Weekly news" } },

  async run(scope, { path, body }) {
    const topic = await topics.changeTopic(scope, path.topicId, body)
    if (!topic) throw topicMissing()
    return topic
  },
})
