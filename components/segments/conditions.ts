import { formatNumber } from "@/lib/platform/format"
import { contactFields, eachField } from "@/lib/contacts/rules"
import { isCalendarDate, type PropertyType, propertyTypes } from "@/lib/contact-properties/rules"
import * as rules from "@/lib/segments/rules"

/** The conditions that a filter can use in this project. */
export type Known = {
  projectId: string
  properties: readonly { id: string; key: string; type: string }[]
  topics: readonly { id: string; name: string }[]
  segments: readonly { id: string; name: string }[]
}

export type FieldChoice = { value: string; label: string }

const labels: Record<string, string> = {
  email: "Email",
  ...eachField((field) => contactFields[field].label),
  createdAt: "Created",
  updatedAt: "Changed",
  unsubscribed: "Unsubscribed",
  validationStatus: "Email validation",
  engagementTier: "Engagement tier",
  topic: "Topic",
  segment: "Segment",
  engagement: "Email activity",
}

/** The choices of a condition's first control, in groups. */
export function fieldChoices({ properties, topics, segments }: Known): { group: string; choices: FieldChoice[] }[] {
  const fixed = (...names: string[]) => names.map((value) => ({ value, label: labels[value] ?? value }))
  return [
    {
      group: "Contact",
      choices: fixed(...rules.textFields, ...rules.timeFields, "unsubscribed", "validationStatus", "engagementTier"),
    },
    { group: "Properties", choices: properties.map(({ key }) => ({ value: `property:${key}`, label: key })) },
    {
      group: "What it does",
      choices: fixed("engagement", ...(topics.length ? ["topic"] : []), ...(segments.length ? ["segment"] : [])),
    },
  ].filter(({ choices }) => choices.length > 0)
}

export function fieldOf(condition: rules.Condition): string {
  return condition.field === "property" ? `property:${condition.key}` : condition.field
}

/** A condition on a field, with what is asked for most. */
export function conditionOn(choice: string, { properties, topics, segments }: Known): rules.Condition {
  if (choice.startsWith("property:")) {
    const key = choice.slice("property:".length)
    switch (properties.find((property) => property.key === key)?.type) {
      case "number":
        return { field: "property", key, operator: "equals", value: 0 }
      case "boolean":
        return { field: "property", key, operator: "equals", value: true }
      case "date":
        return { field: "property", key, operator: "within_days", days: 30 }
      default:
        return { field: "property", key, operator: "equals", value: "" }
    }
  }
  switch (choice) {
    case "createdAt":
    case "updatedAt":
      return { field: choice, operator: "within_days", days: 30 }
    case "unsubscribed":
      return { field: choice, operator: "is", value: false }
    case "validationStatus":
    case "engagementTier":
      return { field: choice, operator: "is", value: rules.choices[choice][0] }
    case "topic":
      return { field: choice, topicId: topics[0]?.id ?? "", operator: "is", value: "opt_in" }
    case "segment":
      return { field: choice, segmentId: segments[0]?.id ?? "", operator: "in" }
    case "engagement":
      return { field: choice, event: "opened", operator: "within_days", days: 30 }
    default:
      return { field: choice as rules.TextField, operator: "contains", value: "" }
  }
}

const operatorWords: Record<string, string> = {
  equals: "is",
  not_equals: "is not",
  contains: "contains",
  not_contains: "does not contain",
  starts_with: "begins with",
  ends_with: "ends with",
  is_set: "has any value",
  is_not_set: "has no value",
  greater_than: "is more than",
  at_least: "is at least",
  less_than: "is less than",
  at_most: "is at most",
  is: "is",
  is_not: "is not",
  in: "in",
  not_in: "not in",
  before: "before",
  after: "after",
  within_days: "in the last",
  not_within_days: "not in the last",
}

/** The operators that a condition may have. */
export function operatorChoices(condition: rules.Condition, { properties }: Known): FieldChoice[] {
  return operatorsOf(condition, properties).map((value) => ({ value, label: operatorWords[value] ?? value }))
}

function operatorsOf(condition: rules.Condition, properties: Known["properties"]): readonly string[] {
  switch (condition.field) {
    case "property":
      return [...operatorsOfType[propertyTypeOf(condition, properties)], ...rules.presences]
    case "createdAt":
    case "updatedAt":
      return [...rules.dayWindows, "before", "after"]
    case "unsubscribed":
      return ["is"]
    case "engagement":
      return rules.dayWindows
    case "segment":
      return rules.memberships
    case "validationStatus":
    case "engagementTier":
    case "topic":
      return rules.choiceOperators
    default:
      return [...rules.textOperators, ...rules.presences]
  }
}

const operatorsOfType: Record<PropertyType, readonly string[]> = {
  string: rules.textOperators,
  number: rules.numberOperators,
  boolean: rules.booleanOperators,
  date: [...rules.dayWindows, ...rules.timeOperators, ...rules.booleanOperators],
}

/** The type of the property that a condition asks for; of a deleted one, that of the value. */
export function propertyTypeOf(condition: rules.PropertyCondition, properties: Known["properties"]): PropertyType {
  const declared = properties.find(({ key }) => key === condition.key)?.type
  const known = propertyTypes.find((type) => type === declared)
  if (known) return known
  if ("days" in condition) return "date"
  return typeof condition.value === "number" || typeof condition.value === "boolean"
    ? (typeof condition.value as "number" | "boolean")
    : "string"
}

/** The same condition with another operator, keeping what fits it. */
export function withOperator(condition: rules.Condition, operator: string, known: Known): rules.Condition {
  const { value, days, ...rest } = condition as rules.Condition & { value?: unknown; days?: number }
  const without = { ...rest, operator } as rules.Condition
  if ([...rules.presences, ...rules.memberships].some((one) => one === operator)) return without
  if ((rules.dayWindows as readonly string[]).includes(operator))
    return { ...without, days: days ?? 30 } as rules.Condition
  return { ...without, value: value ?? fallbackValue(condition, operator, known) } as rules.Condition
}

/** What an operator compares with before a value has been chosen. */
function fallbackValue(condition: rules.Condition, operator: string, known: Known): unknown {
  const now = new Date().toISOString()
  if (condition.field === "property" && propertyTypeOf(condition, known.properties) === "date") return now.slice(0, 10)
  if (operator === "before" || operator === "after") return now
  return (conditionOn(fieldOf(condition), known) as { value?: unknown }).value
}

/** Whether nothing is left to be filled in. */
export function isComplete(node: rules.Node): boolean {
  if (rules.isGroup(node)) {
    const [, nodes] = rules.quantifierAndNodes(node)
    return nodes.length > 0 && nodes.every(isComplete)
  }
  if ("days" in node) return node.days > 0
  return !("value" in node) || node.value !== ""
}

const quantifierWords = { all: " and ", any: " or ", none: " or " } as const

/** The names of what a filter names by id. */
type Names = Partial<Pick<Known, "topics" | "segments">>

/** A filter as a sentence, for lists and explanations. */
export function filterSentence(node: rules.Node, names: Names = {}): string {
  if (!rules.isGroup(node)) return conditionSentence(node, names)
  const [quantifier, nodes] = rules.quantifierAndNodes(node)
  const parts = nodes.map((one) =>
    rules.isGroup(one) && nodes.length > 1 ? `(${filterSentence(one, names)})` : filterSentence(one, names),
  )
  const joined = parts.join(quantifierWords[quantifier])
  return quantifier === "none" ? `not (${joined})` : joined
}

function conditionSentence(condition: rules.Condition, { topics = [], segments = [] }: Names): string {
  const operator = operatorWords[condition.operator] ?? condition.operator
  switch (condition.field) {
    case "engagement":
      return `${engagementWords[condition.event]} ${windowWords(condition.operator, condition.days)}`
    case "topic": {
      const name = topics.find(({ id }) => id === condition.topicId)?.name ?? condition.topicId
      const gets = (condition.value === "opt_in") === (condition.operator === "is")
      return `${gets ? "gets" : "does not get"} ${name}`
    }
    case "segment": {
      const name = segments.find(({ id }) => id === condition.segmentId)?.name ?? condition.segmentId
      return `${condition.operator === "in" ? "is in" : "is not in"} ${name}`
    }
    case "unsubscribed":
      return condition.value ? "is unsubscribed" : "is not unsubscribed"
    case "createdAt":
    case "updatedAt":
      return "days" in condition
        ? `${labels[condition.field]} ${windowWords(condition.operator, condition.days)}`
        : `${labels[condition.field]} ${operator} ${condition.value.slice(0, 10)}`
    default: {
      const subject = condition.field === "property" ? condition.key : (labels[condition.field] ?? condition.field)
      if ("days" in condition) return `${subject} ${windowWords(condition.operator, condition.days)}`
      if (!("value" in condition) || condition.value === undefined) return `${subject} ${operator}`
      return `${subject} ${operator} ${valueWords(condition.value)}`
    }
  }
}

function valueWords(value: string | number | boolean): string {
  if (typeof value === "number") return formatNumber(value)
  if (typeof value === "boolean") return value ? "yes" : "no"
  return isCalendarDate(value) ? value : `“${value}”`
}

function windowWords(operator: string, days: number): string {
  return `${operator === "within_days" ? "in" : "not in"} the last ${days === 1 ? "day" : `${days} days`}`
}

export const engagementWords: Record<rules.EngagementEvent, string> = {
  sent: "was sent an email",
  delivered: "received an email",
  opened: "opened an email",
  clicked: "clicked a link",
  bounced: "bounced",
}
