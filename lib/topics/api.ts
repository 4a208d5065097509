import { z } from "zod"
import { buckets } from "@/lib/access/limits/data"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { subscriptions } from "@/lib/consent/rules"
import { cursorPage, cursorMissing } from "@/lib/platform/http/cursors"
import { endpoint } from "@/lib/platform/http/endpoint"
import { cursorQuery, page, pageQuery } from "@/lib/platform/http/paging"
import { requestInvalid } from "@/lib/platform/http/problems"
import * as topics from "@/lib/topics/data"
import { existingTopics, readSubscribers } from "@/lib/topics/data"
import { NewTopic, Topic, TopicChange, TopicContactPage, topicMissing, TopicPage } from "@/lib/topics/schema"

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
    const { data, total } = await topics.readTopicPage(scope, query)
    return page(query, data, total)
  },
})

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
      (position, size) => readSubscribers(scope, { topicId: path.topicId, subscription }, position, size),
    )
  },
})

export const topicOperations = [listTopics, createTopic, getTopic, updateTopic, listContactsInTopic] as const
