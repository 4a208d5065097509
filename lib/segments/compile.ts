import { decodeId } from "@/lib/platform/ids"
import * as rules from "@/lib/segments/rules"

/** Milliseconds after which a statement with a filter in it ends, whatever the filter. */
export const filterStatementMs = 2_000

/** SQL over a row `c` of contacts. Every value is a parameter: the text depends on the shape of the filter alone. */
export type Compiled = { sql: string; values: unknown[] }

/** Puts a value among the parameters and answers its place. */
type Place = (value: unknown, type: string) => string

/**
 * The filter as one boolean that is never NULL.
 * @param before the parameters that stand in the statement already
 */
export function compileFilter(filter: rules.Group, before: readonly unknown[]): Compiled {
  const values = [...before]
  return { sql: sqlOf(filter, placesIn(values)), values }
}

/** Each condition of the filter on its own, in the order of `conditionsOf`. */
export function compileConditions(
  filter: rules.Group,
  before: readonly unknown[],
): { sql: string[]; values: unknown[] } {
  const values = [...before]
  const place = placesIn(values)
  return { sql: rules.conditionsOf(filter).map(({ condition }) => conditionSql(condition, place)), values }
}

function placesIn(values: unknown[]): Place {
  return (value, type) => `$${values.push(value)}::${type}`
}

function sqlOf(node: rules.Node, place: Place): string {
  if (!rules.isGroup(node)) return conditionSql(node, place)
  const [quantifier, nodes] = rules.partsOf(node)
  const parts = nodes.map((one) => sqlOf(one, place))
  return quantifier === "none"
    ? `NOT (${parts.join(" OR ")})`
    : `(${parts.join(quantifier === "all" ? " AND " : " OR ")})`
}

const columns = {
  email: "c.email",
  firstName: "c.first_name",
  lastName: "c.last_name",
  phone: "c.phone",
  createdAt: "c.created_at",
  updatedAt: "c.updated_at",
  validationStatus: "c.validation_status",
  engagementTier: "c.engagement_tier",
} as const

function conditionSql(condition: rules.Condition, place: Place): string {
  switch (condition.field) {
    case "email":
    case "firstName":
    case "lastName":
    case "phone":
      return textSql(columns[condition.field], condition.operator, condition.value, place)
    case "createdAt":
    case "updatedAt":
      return timeSql(columns[condition.field], condition, place)
    case "unsubscribed":
      return `(c.unsubscribed = ${place(condition.value, "boolean")})`
    case "validationStatus":
    case "engagementTier":
      return negatedIf(
        condition.operator === "is_not",
        `coalesce(${columns[condition.field]} = ${place(condition.value, "text")}, false)`,
      )
    case "property":
      return propertySql(condition, place)
    case "topic":
      return topicSql(condition, place)
    case "engagement":
      return negatedIf(condition.operator === "not_within_days", engagementSql(condition, place))
  }
}

function textSql(
  column: string,
  operator: rules.TextOperator | rules.Presence,
  value: string | undefined,
  place: Place,
): string {
  const wanted = () => `lower(${place(value, "text")})`
  const held = `lower(${column})`
  switch (operator) {
    case "equals":
      return `coalesce(${held} = ${wanted()}, false)`
    case "not_equals":
      return `coalesce(${held} <> ${wanted()}, true)`
    case "contains":
      return `coalesce(strpos(${held}, ${wanted()}) > 0, false)`
    case "not_contains":
      return `coalesce(strpos(${held}, ${wanted()}) = 0, true)`
    case "starts_with":
      return `coalesce(starts_with(${held}, ${wanted()}), false)`
    case "ends_with": {
      const end = wanted()
      return `coalesce(right(${held}, length(${end})) = ${end}, false)`
    }
    case "is_set":
      return `coalesce(${column} <> '', false)`
    case "is_not_set":
      return `coalesce(${column} = '', true)`
  }
}

function timeSql(column: string, condition: rules.TimeCondition, place: Place): string {
  if (!("days" in condition) || condition.days === undefined) {
    const { operator, value } = condition as { operator: "before" | "after"; value: string }
    return `(${column} ${operator === "before" ? "<" : ">"} ${place(value, "timestamptz")})`
  }
  return negatedIf(condition.operator === "not_within_days", `(${column} >= ${daysAgo(condition.days, place)})`)
}

const numberSigns = {
  equals: "=",
  not_equals: "<>",
  greater_than: ">",
  at_least: ">=",
  less_than: "<",
  at_most: "<=",
} as const

function propertySql(condition: rules.PropertyCondition, place: Place): string {
  const { operator, value } = condition
  const held = `(c.properties ->> ${place(condition.key, "text")})`
  if (typeof value !== "number") return textSql(held, operator as rules.TextOperator | rules.Presence, value, place)
  // The cast would err on a value from before the property was a number.
  const number = `CASE WHEN ${held} ~ '^-?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]{1,3})?$' THEN ${held}::numeric END`
  const sign = numberSigns[operator as rules.NumberOperator]
  return `coalesce((${number}) ${sign} ${place(String(value), "numeric")}, ${operator === "not_equals"})`
}

function topicSql({ topicId, operator, value }: rules.TopicCondition, place: Place): string {
  const topic = place(decodeId("top", topicId), "uuid")
  const is = `coalesce(topic_state(c.project_id, ${topic}, c.id) = ${place(value, "text")}, false)`
  return negatedIf(operator === "is_not", is)
}

/** A mail waits at most so many days, scheduled and retried, between the making of its id and the news of it. */
const waitDaysMax = 40

function engagementSql({ event, days }: rules.EngagementCondition, place: Place): string {
  const since = daysAgo(days, place)
  const from = `FROM deliveries d WHERE d.project_id = c.project_id AND d.canonical = c.email
    AND d.email_id >= first_id_at(${since} - interval '${waitDaysMax} days')`
  if (event === "sent") return `EXISTS (SELECT 1 ${from} AND d.sent_at >= ${since})`
  if (event === "delivered") return `EXISTS (SELECT 1 ${from} AND d.delivered_at >= ${since})`
  if (event === "bounced") return `EXISTS (SELECT 1 ${from} AND d.status = 'bounced' AND d.ended_at >= ${since})`
  return `EXISTS (SELECT 1 ${newsOf(place(event, "text"), since)})`
}

/** People open a mail long after it came: what it is found by is the event, so its mail may be of any age. */
function newsOf(event: string, since: string): string {
  return `FROM deliveries d JOIN events e ON e.project_id = d.project_id AND e.email_id = d.email_id AND e.delivery_id = d.id
    WHERE d.project_id = c.project_id AND d.canonical = c.email AND e.type = ${event} AND e.occurred_at >= ${since}
      AND e.id >= first_id_at(${since} - interval '1 day') AND coalesce(e.data ->> 'machine', '') <> 'true'`
}

function daysAgo(days: number, place: Place): string {
  return `(now() - make_interval(days => ${place(days, "int")}))`
}

function negatedIf(negated: boolean, sql: string): string {
  return negated ? `NOT ${sql}` : sql
}
