import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"
import { renewSegmentsOf } from "@/lib/segments/pass-sql"
import { topicMissing } from "@/lib/topics/problems"
import { removePreferences } from "@/lib/topics/removal-store"
import * as topics from "@/lib/topics/store"

const waitMs = 2_000

/** Here and not among topics, because segments are above them: those whose filters name the topic are evaluated again. */
export const deleteTopic = endpoint({
  route: "DELETE /v1/projects/{projectId}/topics/{topicId}",
  operationId: "deleteTopic",
  tag: "Topics",
  summary: "Delete topic",
  description:
    "Permanent; the preferences of its contacts are lost. After the response no operation shows the topic; very many preferences are removed in the background.",
  access: allow("contacts:write"),
  bucket: buckets.topics,
  path: { topicId: { prefix: "top", missing: topicMissing } },
  answers: [204],
  problems: [projectMissing, topicMissing],

  async run(scope, { path }) {
    if (!(await topics.hideTopic(scope, path.topicId, renewSegmentsOf))) throw topicMissing()
    await removePreferences(waitMs, path.topicId)
  },
})
