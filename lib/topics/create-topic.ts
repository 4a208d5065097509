import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"
import { NewTopic, Topic } from "@/lib/topics/schema"
import * as topics from "@/lib/topics/store"

export const createTopic = endpoint({
  route: "POST /v1/projects/{projectId}/topics",
  operationId: "createTopic",
  tag: "Topics",
  summary: "Create topic",
  description:
    "Names need not be unique. `defaultSubscription` applies to every contact without its own preference, and is permanent. The counts include only contacts with their own preference.",
  access: allow("contacts:write"),
  bucket: buckets.topics,
  body: NewTopic,
  answers: [201, Topic],
  location: "/v1/projects/{projectId}/topics/{id}",
  problems: [requestInvalid, projectMissing],
  example: { body: { name: "Product news", defaultSubscription: "opt_in", visibility: "public" } },

  run: (scope, { body }) => topics.addTopic(scope, body),
})
