import { z } from "zod"
import { subscriptions } from "@/lib/consent/rules"
import { CursorInfo, pageOf } from "@/lib/platform/http/paging"
import { problem } from "@/lib/platform/http/problem"
import { id, idText, int32, timestamp } from "@/lib/platform/schema"
import { visibilities } from "@/lib/topics/rules"

export const Topic = z
  .strictObject({
    id: id("top"),
    object: z.literal("topic").meta({ type: "string" }),
    projectId: id("proj"),
    name: z.string(),
    description: z.string().optional(),
    defaultSubscription: z
      .string()
      .describe("`opt_in` or `opt_out`: the state of contacts without a preference of their own."),
    visibility: z.string().describe("`public` topics are shown on the preference page."),
    optInCount: int32.describe("Contacts that have opted in themselves."),
    optOutCount: int32.describe("Contacts that have opted out themselves."),
    effectiveCount: int32
      .optional()
      .describe("Additive: the effective audience, contacts subscribed by their own preference or by the default."),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "TopicResponse" })

export type Topic = z.output<typeof Topic>

export const TopicPage = pageOf(Topic)

const name = z.string().trim().min(1, "Must not be empty.").max(200, "Must be at most 200 characters.")
const description = z.string().max(2_000, "Must be at most 2,000 characters.")

export const NewTopic = z
  .strictObject({
    name,
    description: description.optional(),
    defaultSubscription: z
      .enum(subscriptions)
      .describe("The state of contacts without a preference of their own; permanent."),
    visibility: z.enum(visibilities).default("private"),
  })
  .meta({ id: "CreateTopicBody" })

export const TopicChange = z
  .strictObject({
    name: name.optional(),
    description: description.optional(),
    visibility: z.enum(visibilities).optional(),
  })
  .meta({ id: "UpdateTopicBody" })

const TopicContact = z
  .strictObject({
    contactId: id("con"),
    email: z.string(),
    firstName: z.string().optional(),
    lastName: z.string().optional(),
    since: timestamp.optional().describe("Additive: when the contact's own preference last changed."),
  })
  .meta({ id: "TopicContactResponse" })

export type TopicContact = z.output<typeof TopicContact>

export const TopicContactPage = z
  .strictObject({ cursor: CursorInfo, data: z.array(TopicContact) })
  .meta({ id: "CursorPage_TopicContactResponse" })

/** A preference as it is read: explicit on a contact, effective on its list of topics. */
export const TopicSubscription = z
  .strictObject({ subscription: z.string().describe("`opt_in` or `opt_out`."), topicId: id("top") })
  .meta({ id: "TopicSubscriptionResponse" })

/** A preference as it is given. The operation looks up the id and points at an unknown one. */
export const TopicPreference = z
  .strictObject({ id: idText("top"), subscription: z.enum(subscriptions) })
  .meta({ id: "TopicSubscriptionBody" })

export const topicMissing = problem("topic.not_found", 404, "Topic not found", "This project has no such topic.")
