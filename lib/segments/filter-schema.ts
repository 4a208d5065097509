import { z } from "zod"
import { judgedBy } from "@/lib/platform/http/body-values"
import { timestampText } from "@/lib/platform/schema"
import * as rules from "@/lib/segments/rules"

const text = z
  .string()
  .min(1, "Must not be empty.")
  .max(rules.valueCharsMax, `Must be at most ${rules.valueCharsMax} characters.`)
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
    operator: z.enum(["before", "after", ...rules.windows]),
    value: timestampText.optional().describe("For `before` and `after`."),
    days: days.optional().describe("For conditions on the last days."),
  })
  .superRefine(({ operator, value, days: given }, context) => {
    const windowed = operator === "within_days" || operator === "not_within_days"
    if (windowed && given === undefined) context.addIssue({ code: "custom", path: ["days"], message: "Must be given." })
    if (!windowed && value === undefined)
      context.addIssue({ code: "custom", path: ["value"], message: "Must be given." })
    if (windowed && value !== undefined)
      context.addIssue({ code: "custom", path: ["value"], message: "Takes no value." })
    if (!windowed && given !== undefined)
      context.addIssue({ code: "custom", path: ["days"], message: "Takes no days." })
  })

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
    key: z.string().min(1).max(50).describe("Key of a contact property of the project."),
    operator: z.enum([...new Set([...rules.textOperators, ...rules.numberOperators, ...rules.presences])]),
    value: z.union([text, z.number()], "Must be text of 1 to 500 characters or a number.").optional(),
  })
  .superRefine(valueWhereNeeded)
  .superRefine(({ operator, value }, context) => {
    const operators: readonly string[] = typeof value === "number" ? rules.numberOperators : rules.textOperators
    if (value === undefined || operators.includes(operator)) return
    context.addIssue({
      code: "custom",
      path: ["operator"],
      message: `Must be one of ${operators.join(", ")} for this value.`,
    })
  })

const TopicCondition = z.strictObject({
  field: z.literal("topic"),
  topicId: z.string().describe("A `top_` id of the project."),
  operator: z.enum(rules.choiceOperators),
  value: z
    .enum(["opt_in", "opt_out"])
    .describe("The effective subscription: the contact's own, or else the topic's default."),
})

const EngagementCondition = z.strictObject({
  field: z.literal("engagement"),
  event: z.enum(rules.engagementEvents).describe("Opens and clicks by machines do not count."),
  operator: z.enum(rules.windows),
  days,
})

/** One condition of a filter. It never errs on a contact that lacks the value: `not_` operators hold there, others do not. */
export const Condition = z
  .discriminatedUnion("field", [
    TextCondition,
    TimeCondition,
    FlagCondition,
    choiceOf("validationStatus"),
    choiceOf("engagementTier"),
    PropertyCondition,
    TopicCondition,
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
}).meta({ id: "SegmentFilter" })

type Valued = { operator: string; value?: unknown }

function valueWhereNeeded({ operator, value }: Valued, context: z.core.$RefinementCtx) {
  const presence = (rules.presences as readonly string[]).includes(operator)
  if (presence && value !== undefined) context.addIssue({ code: "custom", path: ["value"], message: "Takes no value." })
  if (!presence && value === undefined) context.addIssue({ code: "custom", path: ["value"], message: "Must be given." })
}
