import { z } from "zod"
import { pageOf } from "@/lib/platform/http/paging"
import { id, int32, timestamp } from "@/lib/platform/schema"
import { Condition, Filter } from "@/lib/segments/filter-schema"

export const Segment = z
  .strictObject({
    id: id("seg"),
    object: z.literal("segment").meta({ type: "string" }),
    projectId: id("proj"),
    name: z.string(),
    contactCount: int32.describe("Members."),
    unsubscribedCount: int32.describe("Members that are unsubscribed from everything."),
    filter: Filter.optional().describe("Additive: contacts that match are members, besides those added manually."),
    building: z
      .strictObject({ done: int32, total: int32 })
      .optional()
      .describe("Additive: while members are computed in the background, how many contacts have been evaluated."),
    createdAt: timestamp,
  })
  .meta({ id: "SegmentResponse" })

export type Segment = z.output<typeof Segment>

export const SegmentPage = pageOf(Segment)

const name = z.string().trim().min(1, "Must not be empty.").max(200, "Must be at most 200 characters.")

export const NewSegment = z
  .strictObject({
    name: name.describe("Unique in the project."),
    filter: Filter.optional().describe(
      "Additive: contacts that match are members; membership follows changes to contacts and their email.",
    ),
  })
  .meta({ id: "CreateSegmentBody" })

export const SegmentChange = z
  .strictObject({
    name: name.optional(),
    filter: Filter.nullable()
      .optional()
      .describe("`null` removes it: members by the filter leave, manually added ones stay."),
  })
  .meta({ id: "UpdateSegmentBody" })

export const PreviewAsked = z
  .strictObject({
    filter: Filter.optional(),
    segmentId: z.string().optional().describe("A `seg_` id: its current members."),
    topicId: z
      .string()
      .optional()
      .describe(
        "A `top_` id. On its own: the contacts that have opted in. Together with another: only contacts subscribed to this topic are sendable.",
      ),
    contactId: z.string().optional().describe("A `con_` id: explains why this contact is in or out."),
  })
  .meta({ id: "PreviewSegmentBody" })

export type PreviewAsked = z.output<typeof PreviewAsked>

export const excludedReasons = ["unsubscribed", "suppressed", "no_opt_in"] as const

const Explained = z
  .strictObject({
    contactId: id("con"),
    email: z.string(),
    matches: z.boolean().describe("Whether the contact matches the filter or is a member."),
    sendable: z.boolean(),
    excluded: z.enum(excludedReasons).optional().describe("Why a send would exclude it if it were a member."),
    origin: z
      .enum(["filter", "added", "removed"])
      .optional()
      .describe("How it became a member, or `removed` manually."),
    conditions: z
      .array(z.strictObject({ pointer: z.string(), condition: Condition, matches: z.boolean() }))
      .describe("Each condition of the filter with its JSON Pointer."),
  })
  .meta({ id: "SegmentExplanationResponse" })

export const Preview = z
  .strictObject({
    count: int32.describe("Contacts found among those scanned."),
    exact: z.boolean().describe("Whether all contacts were scanned; otherwise the scan ended after 2 seconds."),
    estimate: int32.describe("The count, extrapolated to all contacts if not all were scanned."),
    scanned: int32,
    sample: z.array(
      z.strictObject({
        contactId: id("con"),
        email: z.string(),
        firstName: z.string().optional(),
        lastName: z.string().optional(),
      }),
    ),
    sendable: int32.describe("Of the count, contacts that a send would reach."),
    excluded: z
      .array(
        z.strictObject({
          reason: z.enum(excludedReasons),
          count: int32,
          sample: z.array(z.string()).describe("Up to 5 addresses."),
        }),
      )
      .describe("Of the count, contacts that a send would exclude, each by the first reason that applies."),
    contact: Explained.optional(),
  })
  .meta({ id: "SegmentPreviewResponse" })

export type Preview = z.output<typeof Preview>
