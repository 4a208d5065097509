import { z } from "zod"
import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { subscriptions } from "@/lib/consent/rules"
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
    "The contacts that have opted in themselves, newest contact first; `subscription` lists those that have opted out. Contacts that only follow the topic's default are in neither list. Pass either cursor as `after`; deep pages cost as much as the first.",
  access: allow("contacts:read"),
  bucket: buckets.topics,
  path: { topicId: { prefix: "top", missing: topicMissing } },
  query: {
    ...cursorQuery(),
    subscription: z
      .enum(subscriptions)
      .default("opt_in")
      .describe("Additive: `opt_out` lists the contacts that have opted out themselves."),
  },
  answers: [200, TopicContactPage],
  problems: [projectMissing, topicMissing, cursorMissing],

  async run(scope, { path, query }) {
    const existing = await existingTopics(scope.project.id, [path.topicId])
    if (!existing.size) throw topicMissing()
    const { subscription } = query
    const optedOut = subscription === "opt_out" ? "|opt_out" : ""
    return cursorPage(
      `${scope.project.id}|topic|${path.topicId}${optedOut}`,
      query,
      ({ contactId }) => contactId,
      (position, size) => readMembers(scope, { topicId: path.topicId, subscription }, position, size),
    )
  },
})
