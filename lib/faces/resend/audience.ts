import { z } from "zod"
import {
  createContactProperty,
  getContactProperty,
  listContactProperties,
  updateContactProperty,
} from "@/lib/contact-properties/api"
import type { Api } from "@/lib/api/registry"
import { deleteContactProperty } from "@/lib/contacts/api"
import { call, type FieldNames, like, given } from "@/lib/faces/face"
import { ResendAnswer, listed, listQuery } from "@/lib/faces/resend/list"
import { endpoint } from "@/lib/platform/http/endpoint"
import { createSegment, deleteSegment, deleteTopic, getSegment, listSegments, updateSegment } from "@/lib/segments/api"
import { createTopic, getTopic, listTopics, updateTopic } from "@/lib/topics/api"

const answers = [200, ResendAnswer] as const
const SegmentBody = z.strictObject({ name: z.string() })

type Segment = Api["GET /v1/projects/{projectId}/segments/{segmentId}"]["answer"]
const segmentOf = ({ id, name, createdAt }: Segment): ResendAnswer => ({ id, name, created_at: createdAt })

export const resendSegments = [
  endpoint({
    ...like(createSegment),
    route: "POST /resend/segments",
    operationId: "resendCreateSegment",
    summary: "Create a segment",
    body: SegmentBody,
    answers,

    async run(scope, { body }, io) {
      const { id, name } = await call(scope, createSegment, { body }, io)
      return { object: "segment", id, name }
    },
  }),
  endpoint({
    ...like(listSegments),
    route: "GET /resend/segments",
    operationId: "resendListSegments",
    summary: "List segments",
    strictQuery: true,
    query: listQuery,
    answers,
    run: (scope, { query }, io) => listed(query, (page) => call(scope, listSegments, { query: page }, io), segmentOf),
  }),
  endpoint({
    ...like(getSegment),
    route: "GET /resend/segments/{segmentId}",
    operationId: "resendGetSegment",
    summary: "Get a segment",
    answers,
    run: async (scope, { path }, io) => ({
      object: "segment",
      ...segmentOf(await call(scope, getSegment, { path }, io)),
    }),
  }),
  endpoint({
    ...like(updateSegment),
    route: "PATCH /resend/segments/{segmentId}",
    operationId: "resendUpdateSegment",
    summary: "Rename a segment",
    body: SegmentBody,
    answers,

    async run(scope, { path, body }, io) {
      const { id } = await call(scope, updateSegment, { path, body }, io)
      return { object: "segment", id }
    },
  }),
  endpoint({
    ...like(deleteSegment),
    route: "DELETE /resend/segments/{segmentId}",
    operationId: "resendDeleteSegment",
    summary: "Delete a segment",
    answers,

    async run(scope, { path }, io) {
      await call(scope, deleteSegment, { path }, io)
      return { object: "segment", id: path.segmentId, deleted: true }
    },
  }),
] as const

const topicFields = { name: z.string(), description: z.string().optional(), visibility: z.string().optional() }
const topicNames: FieldNames = { defaultSubscription: "default_subscription" }

type Topic = Api["GET /v1/projects/{projectId}/topics/{topicId}"]["answer"]
const topicOf = (topic: Topic): ResendAnswer => ({
  ...{ id: topic.id, name: topic.name, description: topic.description ?? null, visibility: topic.visibility },
  ...{ default_subscription: topic.defaultSubscription, created_at: topic.createdAt },
})

export const resendTopics = [
  endpoint({
    ...like(createTopic),
    route: "POST /resend/topics",
    operationId: "resendCreateTopic",
    summary: "Create a topic",
    body: z.strictObject({ ...topicFields, default_subscription: z.string() }),
    answers,

    async run(scope, { body: { default_subscription: defaultSubscription, ...body } }, io) {
      const topic = { ...given(body), defaultSubscription }
      const { id } = await call(scope, createTopic, { body: topic, names: topicNames }, io)
      return { object: "topic", id }
    },
  }),
  endpoint({
    ...like(listTopics),
    route: "GET /resend/topics",
    operationId: "resendListTopics",
    summary: "List topics",
    strictQuery: true,
    query: listQuery,
    answers,
    run: (scope, { query }, io) => listed(query, (page) => call(scope, listTopics, { query: page }, io), topicOf),
  }),
  endpoint({
    ...like(getTopic),
    route: "GET /resend/topics/{topicId}",
    operationId: "resendGetTopic",
    summary: "Get a topic",
    answers,
    run: async (scope, { path }, io) => ({ object: "topic", ...topicOf(await call(scope, getTopic, { path }, io)) }),
  }),
  endpoint({
    ...like(updateTopic),
    route: "PATCH /resend/topics/{topicId}",
    operationId: "resendUpdateTopic",
    summary: "Update a topic",
    body: z.strictObject({ ...topicFields, name: z.string().optional(), id: z.string().optional() }),
    answers,

    async run(scope, { path, body: { id: _id, ...body } }, io) {
      const { id } = await call(scope, updateTopic, { path, body: given(body) }, io)
      return { object: "topic", id }
    },
  }),
  endpoint({
    ...like(deleteTopic),
    route: "DELETE /resend/topics/{topicId}",
    operationId: "resendDeleteTopic",
    summary: "Delete a topic",
    answers,

    async run(scope, { path }, io) {
      await call(scope, deleteTopic, { path }, io)
      return { object: "topic", id: path.topicId, deleted: true }
    },
  }),
] as const

const fallback = z.union([z.string(), z.number(), z.null()]).optional()
const propertyNames: FieldNames = { fallbackValue: "fallback_value" }

type Property = Api["GET /v1/projects/{projectId}/contact-properties/{propertyId}"]["answer"]
function propertyOf({ id, key, type, fallbackValue, createdAt }: Property): ResendAnswer {
  const value = fallbackValue === undefined ? null : type === "number" ? Number(fallbackValue) : fallbackValue
  return { id, key, type, fallback_value: value, created_at: createdAt }
}

export const resendProperties = [
  endpoint({
    ...like(createContactProperty),
    route: "POST /resend/contact-properties",
    operationId: "resendCreateContactProperty",
    summary: "Define a contact property",
    body: z.strictObject({ key: z.string(), type: z.string(), fallback_value: fallback }),
    answers,

    async run(scope, { body: { key, type, fallback_value: value } }, io) {
      const property = given({
        key,
        type,
        fallbackValue: value === null || value === undefined ? undefined : String(value),
      })
      const { id } = await call(scope, createContactProperty, { body: property, names: propertyNames }, io)
      return { object: "contact_property", id }
    },
  }),
  endpoint({
    ...like(listContactProperties),
    route: "GET /resend/contact-properties",
    operationId: "resendListContactProperties",
    summary: "List contact properties",
    strictQuery: true,
    query: listQuery,
    answers,
    run: (scope, { query }, io) =>
      listed(query, (page) => call(scope, listContactProperties, { query: page }, io), propertyOf),
  }),
  endpoint({
    ...like(getContactProperty),
    route: "GET /resend/contact-properties/{propertyId}",
    operationId: "resendGetContactProperty",
    summary: "Get a contact property",
    answers,
    run: async (scope, { path }, io) => ({
      object: "contact_property",
      ...propertyOf(await call(scope, getContactProperty, { path }, io)),
    }),
  }),
  endpoint({
    ...like(updateContactProperty),
    route: "PATCH /resend/contact-properties/{propertyId}",
    operationId: "resendUpdateContactProperty",
    summary: "Change the fallback of a contact property",
    body: z.strictObject({ fallback_value: fallback }),
    answers,

    async run(scope, { path, body: { fallback_value: value } }, io) {
      const change = value === undefined ? {} : { fallbackValue: value === null ? null : String(value) }
      const { id } = await call(scope, updateContactProperty, { path, body: change, names: propertyNames }, io)
      return { object: "contact_property", id }
    },
  }),
  endpoint({
    ...like(deleteContactProperty),
    route: "DELETE /resend/contact-properties/{propertyId}",
    operationId: "resendDeleteContactProperty",
    summary: "Delete a contact property",
    answers,

    async run(scope, { path }, io) {
      await call(scope, deleteContactProperty, { path }, io)
      return { object: "contact_property", id: path.propertyId, deleted: true }
    },
  }),
] as const
