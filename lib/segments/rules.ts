/** A condition of a filter on the wire; `field` is its kind. */
export type TextCondition = { field: TextField; operator: TextOperator | Presence; value?: string }
export type TimeCondition =
  | { field: TimeField; operator: TimeOperator; value: string }
  | { field: TimeField; operator: DayWindow; days: number }
export type FlagCondition = { field: "unsubscribed"; operator: "is"; value: boolean }
export type ChoiceCondition = { field: ChoiceField; operator: Choice; value: string }
export type PropertyCondition =
  | {
      field: "property"
      key: string
      operator: TextOperator | NumberOperator | TimeOperator | Presence
      value?: string | number | boolean
    }
  | { field: "property"; key: string; operator: DayWindow; days: number }
export type TopicCondition = { field: "topic"; topicId: string; operator: Choice; value: "opt_in" | "opt_out" }
export type SegmentCondition = { field: "segment"; segmentId: string; operator: Membership }
export type EngagementCondition = { field: "engagement"; event: EngagementEvent; operator: DayWindow; days: number }
export type Condition =
  | TextCondition
  | TimeCondition
  | FlagCondition
  | ChoiceCondition
  | PropertyCondition
  | TopicCondition
  | SegmentCondition
  | EngagementCondition

/** Exactly one of the three: every node matches, at least one does, or none. */
export type Group = { all?: Node[]; any?: Node[]; none?: Node[] }
export type Node = Group | Condition

export const textFields = ["email", "firstName", "lastName", "phone"] as const
export const timeFields = ["createdAt", "updatedAt"] as const
export const choices = {
  validationStatus: ["valid", "risky", "invalid", "unknown"],
  engagementTier: ["new", "cold", "cool", "warm", "hot"],
} as const
export const textOperators = ["equals", "not_equals", "contains", "not_contains", "starts_with", "ends_with"] as const
export const numberOperators = ["equals", "not_equals", "greater_than", "at_least", "less_than", "at_most"] as const
export const booleanOperators = ["equals", "not_equals"] as const
export const timeOperators = ["before", "after"] as const
export const presences = ["is_set", "is_not_set"] as const
export const choiceOperators = ["is", "is_not"] as const
export const memberships = ["in", "not_in"] as const
export const dayWindows = ["within_days", "not_within_days"] as const
export const dateOperators = ["equals", "not_equals", ...timeOperators, ...dayWindows] as const
export const engagementEvents = ["sent", "delivered", "opened", "clicked", "bounced"] as const
export const quantifiers = ["all", "any", "none"] as const

export type TextField = (typeof textFields)[number]
export type TimeField = (typeof timeFields)[number]
export type ChoiceField = keyof typeof choices
export type TextOperator = (typeof textOperators)[number]
export type NumberOperator = (typeof numberOperators)[number]
type TimeOperator = (typeof timeOperators)[number]
export type Presence = (typeof presences)[number]
export type Choice = (typeof choiceOperators)[number]
export type Membership = (typeof memberships)[number]
export type DayWindow = (typeof dayWindows)[number]
export type EngagementEvent = (typeof engagementEvents)[number]
export type Quantifier = (typeof quantifiers)[number]

/** Segments a project may have. */
export const segmentsMax = 500

/** What a filter may hold. */
export const depthMax = 5
/** Segments in a row, each of which names the next in its filter. */
export const namedDepthMax = 5
export const conditionsMax = 100
export const filterValueCharsMax = 500
export const daysMax = 365

export function isGroup(node: unknown): node is Group {
  return typeof node === "object" && node !== null && quantifiers.some((quantifier) => quantifier in node)
}

/** The quantifier of a group and its nodes. */
export function quantifierAndNodes(group: Group): [Quantifier, Node[]] {
  const quantifier = quantifiers.find((name) => group[name] !== undefined) ?? "all"
  return [quantifier, group[quantifier] ?? []]
}

/** Every condition of a filter with its JSON Pointer, in their order. */
export function conditionsOf(node: Node, pointer = ""): { pointer: string; condition: Condition }[] {
  if (!isGroup(node)) return [{ pointer, condition: node }]
  const [quantifier, nodes] = quantifierAndNodes(node)
  return nodes.flatMap((one, index) => conditionsOf(one, `${pointer}/${quantifier}/${index}`))
}

/** Levels of groups. */
export function depthOf(node: Node): number {
  if (!isGroup(node)) return 0
  return 1 + Math.max(0, ...quantifierAndNodes(node)[1].map(depthOf))
}

/** Whether a filter matches, given which of its conditions do. */
export function matchesFilter(node: Node, matching: ReadonlySet<string>, pointer = ""): boolean {
  if (!isGroup(node)) return matching.has(pointer)
  const [quantifier, nodes] = quantifierAndNodes(node)
  const each = (one: Node, index: number) => matchesFilter(one, matching, `${pointer}/${quantifier}/${index}`)
  return quantifier === "all" ? nodes.every(each) : quantifier === "any" ? nodes.some(each) : !nodes.some(each)
}

/** Whether the condition depends on email events, directly or through the engagement tier. */
export function watchesEvents(filter: Group): boolean {
  return conditionsOf(filter).some(
    ({ condition }) => condition.field === "engagement" || condition.field === "engagementTier",
  )
}

/** The public ids of the segments that a filter names. */
export function namedIn(filter: Group): string[] {
  const ids = conditionsOf(filter).flatMap(({ condition }) =>
    condition.field === "segment" ? condition.segmentId : [],
  )
  return [...new Set(ids)]
}

/** What is wrong with the segments that a filter names, or null. */
export type NamedFault = { id: string; why: "missing" | "circle" | "depth" }

/**
 * Judges the segments that the filter of one segment shall name.
 * @param all every segment of the project, with those that its filter names now
 */
export function namedFault(
  own: string,
  named: readonly string[],
  all: ReadonlyMap<string, readonly string[]>,
): NamedFault | null {
  const missing = named.find((id) => !all.has(id))
  if (missing !== undefined) return { id: missing, why: "missing" }
  const lengthBefore = rowLengths(all, [[own, Infinity]])
  const circle = named.find((id) => lengthBefore(id) === Infinity)
  if (circle !== undefined) return { id: circle, why: "circle" }
  const after = new Map([...all, [own, named] as const])
  const longest = Math.max(0, ...[...after.keys()].map(rowLengths(after)))
  return longest > namedDepthMax ? { id: named[0] ?? own, why: "depth" } : null
}

/** How many segments follow each other from one on, itself included; each is computed once. */
function rowLengths(names: ReadonlyMap<string, readonly string[]>, given: [string, number][] = []) {
  const known = new Map(given)
  return function lengthFrom(id: string): number {
    const before = known.get(id)
    if (before !== undefined) return before
    const length = 1 + Math.max(0, ...(names.get(id) ?? []).map(lengthFrom))
    known.set(id, length)
    return length
  }
}
