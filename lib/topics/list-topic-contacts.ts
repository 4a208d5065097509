import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { cursorPage } from "@/lib/platform/http/cursor-page"
import { cursorMissing } from "@/lib/platform/http/cursors"
import { endpoint } from "@/lib/platform/http/endpoint"
import { cursorQuery } from "@/lib/platform/http/paging"
import { readMembers } from "@/lib/topics/members-sql"
import { topicMissing } from "@/lib/topics/problems"
import { TopicContactPage } from "@/lib/topics/schema"
import { existingTopics } from "@/lib/topics/store"

export const listContactsInTopic = endpoint({
  route: "GET /v1/projects/{projectId}/topics/{topicId}/contacts",
  operationId: "listContactsInTopic",
  tag: "Topics",
  summary: "List opted-in contacts",
  description:
    "The contacts that have opted in themselves, newest contact first. Contacts subscribed only by the topic's default are not listed. Pass either cursor as `after`; deep pages cost as much as the first.",
  access: allow("contacts:read"),
  bucket: buckets.topics,
  path: { topicId: { prefix: "top", missing: topicMissing } },
  query: cursorQuery(),
  answers: [200, TopicContactPage],
  problems: [projectMissing, topicMissing, cursorMissing],

  async run(scope, { path, query }) {
    const existing = await existingTopics(scope.project.id, [path.topicId])
    if (!existing.size) throw topicMissing()
    return cursorPage(
      `${scope.project.id}|topic|${path.topicId}`,
      query,
      ({ contactId }) => contactId,
      (position, size) => readMembers(scope, path.topicId, position, size),
    )
  },
})
