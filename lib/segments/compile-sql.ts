import { decodeId } from "@/lib/platform/ids"
import * as rules from "@/lib/segments/rules"

/** Milliseconds after which a statement with a filter in it ends, whatever the filter. */
export const filterStatementMs = 2_000

/** SQL over a row `c` of contacts. Every value is a parameter: the text depends on the shape of the filter alone. */
export type Compiled = { sql: string; values: unknown[] }

/** Adds a value to the parameters and answers its placeholder. */
type Bind = (value: unknown, type: string) => string

/**
 * The filter as one boolean that is never NULL.
 * @param before the parameters that the statement has already
 */
export function compileFilter(filter: rules.Group, before: readonly unknown[]): Compiled {
  const values = [...before]
  const bind = parametersIn(values)
  const conditions = rules.conditionsOf(filter).map(({ condition }) => condition)
  return { sql: ifAllExist(conditions, sqlOf(filter, bind), bind), values }
}

/** Without one of the segments, topics and properties that it names it matches nobody: else "not in" would let everybody in. */
function ifAllExist(conditions: readonly rules.Condition[], sql: string, bind: Bind): string {
  const segments = conditions.flatMap((one) => (one.field === "segment" ? decodeId("seg", one.segmentId) : []))
  const topics = conditions.flatMap((one) => (one.field === "topic" ? decodeId("top", one.topicId) : []))
  const keys = conditions.flatMap((one) => (one.field === "property" ? one.key : []))
  const checks = [
    ...allExist("segments", "id", segments, "uuid[]", bind),
    ...allExist("topics", "id", topics, "uuid[]", bind),
    ...allExist("contact_properties", "key", keys, "text[]", bind),
  ]
  return checks.length > 0 ? `(${[...checks, sql].join(" AND ")})` : sql
}

/** A check that the project has a row for each of these values; none where there are no values. */
function allExist(
  table: string,
  column: string,
  given: readonly (string | null)[],
  type: string,
  bind: Bind,
): string[] {
  if (given.length === 0) return []
  const wanted = bind([...new Set(given)], type)
  return [
    `(SELECT count(*) FROM ${table} n WHERE n.project_id = c.project_id AND n.${column} = ANY (${wanted})
    AND n.deleted_at IS NULL) = cardinality(${wanted})`,
  ]
}

/** Each condition of the filter on its own, in the order of `conditionsOf`. */
export function compileConditions(
  filter: rules.Group,
  before: readonly unknown[],
): { sql: string[]; values: unknown[] } {
  const values = [...before]
  const bind = parametersIn(values)
  const sql = rules
    .conditionsOf(filter)
    .map(({ condition }) => ifAllExist([condition], conditionSql(condition, bind), bind))
  return { sql, values }
}

function parametersIn(values: unknown[]): Bind {
  return (value, type) => `$${values.push(value)}::${type}`
}

function sqlOf(node: rules.Node, bind: Bind): string {
  if (!rules.isGroup(node)) return conditionSql(node, bind)
  const [quantifier, nodes] = rules.quantifierAndNodes(node)
  const parts = nodes.map((one) => sqlOf(one, bind))
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

function conditionSql(condition: rules.Condition, bind: Bind): string {
  switch (condition.field) {
    case "email":
    case "firstName":
    case "lastName":
    case "phone":
      return textSql(columns[condition.field], condition.operator, condition.value, bind)
    case "createdAt":
    case "updatedAt":
      return timeSql(columns[condition.field], condition, bind)
    case "unsubscribed":
      return `(c.unsubscribed = ${bind(condition.value, "boolean")})`
    case "validationStatus":
    case "engagementTier":
      return negatedIf(
        condition.operator === "is_not",
        `coalesce(${columns[condition.field]} = ${bind(condition.value, "text")}, false)`,
      )
    case "property":
      return propertySql(condition, bind)
    case "topic":
      return topicSql(condition, bind)
    case "segment":
      return negatedIf(condition.operator === "not_in", memberSql(condition, bind))
    case "engagement":
      return negatedIf(condition.operator === "not_within_days", engagementSql(condition, bind))
  }
}

function textSql(
  column: string,
  operator: rules.TextOperator | rules.Presence,
  value: string | undefined,
  bind: Bind,
): string {
  const wanted = () => `lower(${bind(value, "text")})`
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

function timeSql(column: string, condition: rules.TimeCondition, bind: Bind): string {
  if (!("days" in condition) || condition.days === undefined) {
    const { operator, value } = condition as { operator: "before" | "after"; value: string }
    return `(${column} ${operator === "before" ? "<" : ">"} ${bind(value, "timestamptz")})`
  }
  return negatedIf(condition.operator === "not_within_days", `(${column} >= ${daysAgo(condition.days, bind)})`)
}

const numberSigns = {
  equals: "=",
  not_equals: "<>",
  greater_than: ">",
  at_least: ">=",
  less_than: "<",
  at_most: "<=",
} as const

function propertySql(condition: rules.PropertyCondition, bind: Bind): string {
  const held = `(c.properties ->> ${bind(condition.key, "text")})`
  if (isInDays(condition))
    return negatedIf(condition.operator === "not_within_days", inDaysSql(held, condition.days, bind))
  const { operator, value } = condition
  if (operator === "before" || operator === "after") {
    // Dates of this format are in the order of their text.
    const sign = operator === "before" ? "<" : ">"
    return `coalesce(${dateSql(held)} ${sign} ${bind(value, "text")}, false)`
  }
  if (typeof value !== "number")
    return textSql(
      held,
      operator as rules.TextOperator | rules.Presence,
      value === undefined ? value : String(value),
      bind,
    )
  // The cast would err on a value from before the property was a number.
  const number = `CASE WHEN ${held} ~ '^-?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]{1,3})?$' THEN ${held}::numeric END`
  const sign = numberSigns[operator as rules.NumberOperator]
  return `coalesce((${number}) ${sign} ${bind(String(value), "numeric")}, ${operator === "not_equals"})`
}

type InDays = Extract<rules.PropertyCondition, { days: number }>

/** A condition that was read has `days` as undefined where it has none. */
function isInDays(condition: rules.PropertyCondition): condition is InDays {
  return "days" in condition && condition.days !== undefined
}

/** Of a value that is no date, as from before the property was one, NULL. */
function dateSql(held: string): string {
  return `(CASE WHEN ${held} ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' THEN ${held} END COLLATE "C")`
}

function inDaysSql(held: string, days: number, bind: Bind): string {
  const dayOf = (instant: string) => `to_char(${instant} AT TIME ZONE 'UTC', 'YYYY-MM-DD')`
  return `coalesce(${dateSql(held)} BETWEEN ${dayOf(daysAgo(days, bind))} AND ${dayOf("now()")}, false)`
}

function topicSql({ topicId, operator, value }: rules.TopicCondition, bind: Bind): string {
  const topic = bind(decodeId("top", topicId), "uuid")
  const is = `coalesce(topic_state(c.project_id, ${topic}, c.id) = ${bind(value, "text")}, false)`
  return negatedIf(operator === "is_not", is)
}

function memberSql({ segmentId }: rules.SegmentCondition, bind: Bind): string {
  return `EXISTS (SELECT 1 FROM segment_members m WHERE m.project_id = c.project_id
    AND m.segment_id = ${bind(decodeId("seg", segmentId), "uuid")} AND m.contact_id = c.id AND m.origin <> 'removed')`
}

/** Days between the id of an email and its delivery at most, scheduled and retried. */
const waitDaysMax = 40

function engagementSql({ event, days }: rules.EngagementCondition, bind: Bind): string {
  const since = daysAgo(days, bind)
  const from = `FROM deliveries d WHERE d.project_id = c.project_id AND d.canonical = c.email
    AND d.email_id >= first_id_at(${since} - interval '${waitDaysMax} days')`
  if (event === "sent") return `EXISTS (SELECT 1 ${from} AND d.sent_at >= ${since})`
  if (event === "delivered") return `EXISTS (SELECT 1 ${from} AND d.delivered_at >= ${since})`
  if (event === "bounced") return `EXISTS (SELECT 1 ${from} AND d.status = 'bounced' AND d.ended_at >= ${since})`
  return `EXISTS (SELECT 1 ${eventsOf(bind(event, "text"), since)})`
}

/** People open an email long after it arrived, so the event is what is searched, and the email may be of any age. */
function eventsOf(event: string, since: string): string {
  return `FROM deliveries d JOIN events e ON e.project_id = d.project_id AND e.email_id = d.email_id AND e.delivery_id = d.id
    WHERE d.project_id = c.project_id AND d.canonical = c.email AND e.type = ${event} AND e.occurred_at >= ${since}
      AND e.id >= first_id_at(${since} - interval '1 day') AND coalesce(e.data ->> 'machine', '') <> 'true'`
}

function daysAgo(days: number, bind: Bind): string {
  return `(now() - make_interval(days => ${bind(days, "int")}))`
}

function negatedIf(negated: boolean, sql: string): string {
  return negated ? `NOT ${sql}` : sql
}
