import { dayMs } from "@/lib/platform/time"
import * as rules from "@/lib/segments/rules"

/** What a filter can ask of a contact, as plain data. */
export type Subject = {
  email: string
  firstName: string | null
  createdAt: Date
  updatedAt: Date
  unsubscribed: boolean
  validationStatus: string
  engagementTier: string | null
  properties: Record<string, string>
  /** Effective subscription by topic id. */
  topics: ReadonlyMap<string, string>
  /** Segments that it is a member of, by id. */
  segments: ReadonlySet<string>
  happened: { event: rules.EngagementEvent; at: Date }[]
}

/** The meaning of a filter, implemented a second time without SQL. */
export function evaluate(node: rules.Node, subject: Subject, now: Date): boolean {
  if (rules.isGroup(node)) {
    const [quantifier, nodes] = rules.quantifierAndNodes(node)
    const each = nodes.map((one) => evaluate(one, subject, now))
    return quantifier === "all" ? each.every(Boolean) : quantifier === "any" ? each.some(Boolean) : !each.some(Boolean)
  }
  const since = (days: number) => new Date(now.getTime() - days * dayMs)
  switch (node.field) {
    case "email":
    case "firstName":
      return text(subject[node.field], node.operator, node.value ?? "")
    case "lastName":
    case "phone":
      return text(null, node.operator, node.value ?? "")
    case "createdAt":
    case "updatedAt": {
      const at = subject[node.field]
      if ("value" in node) return node.operator === "before" ? at < new Date(node.value) : at > new Date(node.value)
      return at >= since(node.days) === (node.operator === "within_days")
    }
    case "unsubscribed":
      return subject.unsubscribed === node.value
    case "validationStatus":
    case "engagementTier":
      return (subject[node.field] === node.value) === (node.operator === "is")
    case "property": {
      const held = subject.properties[node.key] ?? null
      if ("days" in node) return inDays(held, since(node.days), now) === (node.operator === "within_days")
      if (node.operator === "before" || node.operator === "after") return date(held, node.operator, String(node.value))
      if (typeof node.value !== "number")
        return text(held, node.operator as rules.TextOperator, String(node.value ?? ""))
      return number(held, node.operator as rules.NumberOperator, node.value)
    }
    case "topic":
      return (subject.topics.get(node.topicId) === node.value) === (node.operator === "is")
    case "segment":
      return subject.segments.has(node.segmentId) === (node.operator === "in")
    case "engagement":
      return (
        subject.happened.some(({ event, at }) => event === node.event && at >= since(node.days)) ===
        (node.operator === "within_days")
      )
  }
}

function text(held: string | null, operator: rules.TextOperator | rules.Presence, value: string): boolean {
  const [one, other] = [held?.toLowerCase(), value.toLowerCase()]
  switch (operator) {
    case "equals":
      return one === other
    case "not_equals":
      return one !== other
    case "contains":
      return one !== undefined && one.includes(other)
    case "not_contains":
      return one === undefined || !one.includes(other)
    case "starts_with":
      return one !== undefined && one.startsWith(other)
    case "ends_with":
      return one !== undefined && one.endsWith(other)
    case "is_set":
      return Boolean(one)
    case "is_not_set":
      return !one
  }
}

const isDate = (held: string | null): held is string => held !== null && /^\d{4}-\d\d-\d\d$/.test(held)

function date(held: string | null, operator: "before" | "after", value: string): boolean {
  return isDate(held) && (operator === "before" ? held < value : held > value)
}

function inDays(held: string | null, since: Date, now: Date): boolean {
  const dayOf = (instant: Date) => instant.toISOString().slice(0, 10)
  return isDate(held) && held >= dayOf(since) && held <= dayOf(now)
}

function number(held: string | null, operator: rules.NumberOperator, value: number): boolean {
  const one = held !== null && /^-?\d+(\.\d+)?$/.test(held) ? Number(held) : null
  if (one === null) return operator === "not_equals"
  const signs = {
    equals: one === value,
    not_equals: one !== value,
    greater_than: one > value,
    at_least: one >= value,
    less_than: one < value,
    at_most: one <= value,
  }
  return signs[operator]
}
