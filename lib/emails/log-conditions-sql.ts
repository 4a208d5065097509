import type { Scope } from "@/lib/platform/http/scope"

export type EmailFilter = {
  /** It has one of these. */
  statuses?: readonly string[]
  /** Canonical address. */
  recipient?: string
  /** Part of the From header. */
  from?: string
  /** Part of the subject. */
  subject?: string
  /** uuid */
  domainId?: string
  /** uuid */
  topicId?: string
  /** uuid */
  broadcastId?: string
  /** Name, or `name:value`. */
  tag?: string
  after?: Date
  before?: Date
  /** Words, each of which occurs somewhere in the email; `searchEmails` finds them. */
  search?: string
  /** uuids: the first and the last. */
  between?: { first: string; last: string }
  /** uuids */
  ids?: readonly string[]
}

/** A condition over `emails e`, with the values of its parameters; $1 is the project. */
export type Conditions = { where: string; values: unknown[] }

/** The statuses of emails that reached nobody. They are few, and the index deliveries_not_reached finds them. */
const notReached = ["bounced", "failed", "rejected", "suppressed", "cancelled", "test", "indeterminate"]

/** Whether an index finds the emails that have one of these statuses. */
export function areRare(statuses: readonly string[]): boolean {
  return statuses.every((status) => notReached.includes(status))
}

export function conditions(scope: Scope, filter: EmailFilter): Conditions {
  const values: unknown[] = [scope.project.id]
  const where = ["e.project_id = $1"]
  const add = (condition: (place: string) => string, value: unknown) => {
    values.push(value)
    where.push(condition(`$${values.length}`))
  }
  const { statuses, recipient, from, subject, domainId, topicId, broadcastId, tag, after, before, between, ids } =
    filter
  if (statuses !== undefined) {
    add((at) => (areRare(statuses) ? rareStatus(at) : `e.status = ANY (${at}::text[])`), statuses)
  }
  if (recipient !== undefined) {
    add(
      (at) => `e.id IN (SELECT d.email_id FROM deliveries d WHERE d.project_id = $1 AND d.canonical = ${at})`,
      recipient,
    )
  }
  if (from !== undefined) add((at) => `strpos(lower(e.from_header), lower(${at})) > 0`, from)
  if (subject !== undefined) add((at) => `strpos(lower(e.subject), lower(${at})) > 0`, subject)
  if (domainId !== undefined) add((at) => `e.domain_id = ${at}`, domainId)
  if (topicId !== undefined) add((at) => `e.topic_id = ${at}`, topicId)
  if (broadcastId !== undefined) add((at) => `e.broadcast_id = ${at}`, broadcastId)
  if (tag !== undefined) add((at) => tagCondition(tag, at), tag)
  if (after !== undefined) add((at) => `e.id >= first_id_at(${at})`, after)
  if (before !== undefined) add((at) => `e.id < first_id_at(${at})`, before)
  if (between !== undefined) {
    add((at) => `e.id >= ${at}`, between.first)
    add((at) => `e.id <= ${at}`, between.last)
  }
  if (ids !== undefined) add((at) => `e.id = ANY (${at}::uuid[])`, ids)
  return { where: where.join(" AND "), values }
}

/** An email has the status of one of its deliveries. */
function rareStatus(at: string): string {
  const one = `ANY (${at}::text[])`
  return `e.status = ${one} AND e.id IN (SELECT d.email_id FROM deliveries d WHERE d.project_id = $1 AND d.status = ${one})`
}

/** A name may contain colons: then the whole of it matches, too. */
function tagCondition(tag: string, at: string): string {
  const named = `e.tags ? ${at}`
  const colon = tag.indexOf(":")
  if (colon < 1) return named
  // JavaScript counts some characters twice that the database counts once.
  const name = [...tag.slice(0, colon)].length
  return `(${named} OR e.tags @> jsonb_build_object(left(${at}, ${name}), substr(${at}, ${name + 2})))`
}
