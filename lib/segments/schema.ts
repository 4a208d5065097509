import { z } from "zod"
import { isCalendarDate, keyCharsMax } from "@/lib/contact-properties/rules"
import { judgedBy } from "@/lib/platform/http/body-values"
import { pageOf } from "@/lib/platform/http/paging"
import { problem } from "@/lib/platform/http/problem"
import { id, idText, int32, timestamp, timestampText } from "@/lib/platform/schema"
import * as rules from "@/lib/segments/rules"

const text = z
  .string()
  .min(1, "Must not be empty.")
  .max(rules.filterValueCharsMax, `Must be at most ${rules.filterValueCharsMax} characters.`)
const days = z
  .int32()
  .min(1, "Must be at least 1.")
  .max(rules.daysMax, `Must be at most ${rules.daysMax}.`)
  .meta({ format: "int32" })

const TextCondition = z
  .strictObject({
    field: z.enum(rules.textFields),
    operator: z.enum([...rules.textOperators, ...rules.presences]),
    value: text.optional().describe("Compared without regard to case."),
  })
  .superRefine(valueWhereNeeded)

const TimeCondition = z
  .strictObject({
    field: z.enum(rules.timeFields),
    operator: z.enum([...rules.timeOperators, ...rules.dayWindows]),
    value: timestampText.optional().describe("For `before` and `after`."),
    days: days.optional().describe("For conditions on the last days."),
  })
  .superRefine(daysWhereNeeded)

const FlagCondition = z.strictObject({
  field: z.literal("unsubscribed"),
  operator: z.literal("is"),
  value: z.boolean(),
})

const choiceOf = <Field extends rules.ChoiceField>(field: Field) =>
  z.strictObject({
    field: z.literal(field),
    operator: z.enum(rules.choiceOperators),
    value: z.enum(rules.choices[field]),
  })

const PropertyCondition = z
  .strictObject({
    field: z.literal("property"),
    key: z
      .string()
      .min(1)
      .max(keyCharsMax)
      .describe(
        "Key of a contact property of the project. When it is deleted, a filter that names it matches nobody until it is changed.",
      ),
    operator: z.enum([
      ...new Set([...rules.textOperators, ...rules.numberOperators, ...rules.dateOperators, ...rules.presences]),
    ]),
    value: z
      .union([text, z.number(), z.boolean()], "Must be text of 1 to 500 characters, a number, or true or false.")
      .optional()
      .describe("Of the property's type; a date is text such as `2026-03-31`."),
    days: days.optional().describe("For conditions on the last days, which end today (UTC)."),
  })
  .superRefine(({ operator, value, days: given }, context) => {
    if (isDayWindow(operator)) return daysWhereNeeded({ operator, value, days: given }, context)
    valueWhereNeeded({ operator, value }, context)
    if (given !== undefined) context.addIssue({ code: "custom", path: ["days"], message: "Takes no days." })
    if (value === undefined) return
    const operators: readonly string[] = operatorsFor(value)
    if (!operators.includes(operator))
      context.addIssue({
        code: "custom",
        path: ["operator"],
        message: `Must be one of ${operators.join(", ")} for this value.`,
      })
    else if (isTimeOperator(operator) && !isCalendarDate(String(value)))
      context.addIssue({ code: "custom", path: ["value"], message: "Must be a date, such as 2026-03-31." })
  })

function operatorsFor(value: string | number | boolean): readonly string[] {
  if (typeof value === "number") return rules.numberOperators
  return typeof value === "boolean" ? rules.booleanOperators : [...rules.textOperators, ...rules.timeOperators]
}

const TopicCondition = z.strictObject({
  field: z.literal("topic"),
  topicId: idText("top").describe(
    "A `top_` id of the project. When it is deleted, a filter that names it matches nobody until it is changed.",
  ),
  operator: z.enum(rules.choiceOperators),
  value: z
    .enum(["opt_in", "opt_out"])
    .describe("The effective subscription: the contact's own, or else the topic's default."),
})

const SegmentCondition = z.strictObject({
  field: z.literal("segment"),
  segmentId: idText("seg").describe(
    `A \`seg_\` id of the project, whose members count, however they joined. When it is deleted, a filter that names it matches nobody until it is changed. At most ${rules.namedDepthMax} segments may name each other in a row, and none itself.`,
  ),
  operator: z.enum(rules.memberships),
})

const EngagementCondition = z.strictObject({
  field: z.literal("engagement"),
  event: z.enum(rules.engagementEvents).describe("Opens and clicks by machines do not count."),
  operator: z.enum(rules.dayWindows),
  days,
})

/** One condition of a filter. It never errs on a contact that lacks the value: `not_` operators hold there, others do not. */
const Condition = z
  .discriminatedUnion("field", [
    TextCondition,
    TimeCondition,
    FlagCondition,
    choiceOf("validationStatus"),
    choiceOf("engagementTier"),
    PropertyCondition,
    TopicCondition,
    SegmentCondition,
    EngagementCondition,
  ])
  .meta({ id: "SegmentCondition" }) as z.ZodType as z.ZodType<rules.Condition, rules.Condition>

/** A group or a condition, checked by its own schema alone, so that a fault has the pointer where it is. */
const Node = z
  .custom<rules.Node>()
  .superRefine((node, context) => {
    const judged = (rules.isGroup(node) ? Group : Condition).safeParse(node)
    for (const issue of judged.error?.issues ?? [])
      context.issues.push({ ...issue, input: node } as z.core.$ZodRawIssue)
  })
  .meta({ anyOf: [{ $ref: "#/components/schemas/SegmentFilter" }, { $ref: "#/components/schemas/SegmentCondition" }] })

judgedBy.set(Node, (node) => (rules.isGroup(node) ? Group : Condition))

const nodes = z.array(Node).min(1, "Must hold a condition or a group.").max(rules.conditionsMax).optional()

const Group: z.ZodType<rules.Group, rules.Group> = z
  .strictObject({
    all: nodes.describe("All of these conditions are true."),
    any: nodes.describe("At least one of these conditions is true."),
    none: nodes.describe("None of these conditions is true."),
  })
  .superRefine((group, context) => {
    const given = rules.quantifiers.filter((name) => group[name] !== undefined)
    if (given.length !== 1)
      context.addIssue({ code: "custom", message: "A group has exactly one of all, any and none." })
  })

/** The filter of a segment: a group of conditions and groups, bounded in depth and number. */
export const Filter = Group.superRefine((filter, context) => {
  const refuse = (message: string) => context.addIssue({ code: "custom", message })
  if (rules.depthOf(filter) > rules.depthMax) refuse(`Groups may be nested ${rules.depthMax} levels deep.`)
  else if (rules.conditionsOf(filter).length > rules.conditionsMax)
    refuse(`A filter may hold ${rules.conditionsMax} conditions.`)
}).meta({
  id: "SegmentFilter",
  examples: [{ all: [{ field: "email", operator: "ends_with", value: "@lovelace.example" }] }],
})

type Valued = { operator: string; value?: unknown }

const isDayWindow = (operator: string) => (rules.dayWindows as readonly string[]).includes(operator)
const isTimeOperator = (operator: string) => (rules.timeOperators as readonly string[]).includes(operator)

/** A condition on the last days takes their number, every other one a value. */
function daysWhereNeeded({ operator, value, days: given }: Valued & { days?: number }, context: z.core.$RefinementCtx) {
  const windowed = isDayWindow(operator)
  if (windowed && given === undefined) context.addIssue({ code: "custom", path: ["days"], message: "Must be given." })
  if (!windowed && value === undefined) context.addIssue({ code: "custom", path: ["value"], message: "Must be given." })
  if (windowed && value !== undefined) context.addIssue({ code: "custom", path: ["value"], message: "Takes no value." })
  if (!windowed && given !== undefined) context.addIssue({ code: "custom", path: ["days"], message: "Takes no days." })
}

function valueWhereNeeded({ operator, value }: Valued, context: z.core.$RefinementCtx) {
  const presence = (rules.presences as readonly string[]).includes(operator)
  if (presence && value !== undefined) context.addIssue({ code: "custom", path: ["value"], message: "Takes no value." })
  if (!presence && value === undefined) context.addIssue({ code: "custom", path: ["value"], message: "Must be given." })
}

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
      .describe(
        "Additive: while members are computed in the background, its own or those of a segment that its filter names, how many contacts have been evaluated.",
      ),
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
    segmentId: idText("seg").optional().describe("A `seg_` id: its current members."),
    topicId: idText("top")
      .optional()
      .describe(
        "A `top_` id. On its own: the contacts that have opted in. Together with another: only contacts subscribed to this topic are sendable.",
      ),
    contactId: idText("con").optional().describe("A `con_` id: explains why this contact is in or out."),
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

export const segmentMissing = problem(
  "segment.not_found",
  404,
  "Segment not found",
  "This project has no such segment.",
)
export const segmentTaken = problem(
  "segment.already_exists",
  409,
  "Segment already exists",
  "Another segment of the project has this name. Choose another name, or update that segment.",
)
