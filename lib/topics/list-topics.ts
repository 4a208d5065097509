import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"
import { page, pageQuery } from "@/lib/platform/http/paging"
import { TopicPage } from "@/lib/topics/schema"
import * as topics from "@/lib/topics/store"

export const listTopics = endpoint({
  route: "GET /v1/projects/{projectId}/topics",
  operationId: "listTopics",
  tag: "Topics",
  summary: "List topics",
  description: "The topics of the project, newest first.",
  access: allow("contacts:read"),
  bucket: buckets.topics,
  query: pageQuery(),
  answers: [200, TopicPage],
  problems: [projectMissing],

  async run(scope, { query }) {
    const { data, total } = await topics.listTopics(scope, query)
    return page(query, data, total)
  },
})
