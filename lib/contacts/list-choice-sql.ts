import type { Subscription } from "@/lib/consent/rules"
import { escapeLike } from "@/lib/platform/text"

export type ContactFilter = {
  /** Canonical form of the address. */
  email?: string
  search?: string
  segmentId?: string
  /** Who is in this topic, by a preference or by its default. */
  topicId?: string
  unsubscribed?: boolean
}

/** A filter with what its topic says of contacts without a preference. */
export type ResolvedFilter = ContactFilter & { byDefault: Subscription }

/** The rows of a page: where they are, in which order, and what narrows them. */
export type Choice = {
  from: string
  /** The alias of the table that leads; $1 is its project. */
  lead: "c" | "l"
  key: string
  where: string[]
  values: unknown[]
  searched: boolean
}

/** The rows to walk: the narrowest table leads, so that its index gives them in order. */
export function choiceOf(projectId: string, filter: ResolvedFilter): Choice {
  const values: unknown[] = [projectId]
  const given = (value: unknown) => `$${values.push(value)}`
  const lead = leadOf(filter, given)
  const where = [...lead.where]
  if (filter.segmentId !== undefined && lead.by !== "segment") where.push(isMember(given(filter.segmentId)))
  if (filter.topicId !== undefined && lead.by !== "topic")
    where.push(isInTopic(given(filter.topicId), filter.byDefault))
  if (filter.email !== undefined) where.push(`c.email = ${given(filter.email)}`)
  if (filter.search !== undefined) where.push(`${searched} ILIKE ${given(`%${escapeLike(filter.search)}%`)}`)
  if (filter.unsubscribed !== undefined) where.push(filter.unsubscribed ? "c.unsubscribed" : "NOT c.unsubscribed")
  return { from: lead.from, lead: lead.alias, key: lead.key, where, values, searched: filter.search !== undefined }
}

/** The expression of the trigram index. */
const searched = "(c.email || ' ' || coalesce(c.first_name, '') || ' ' || coalesce(c.last_name, ''))"

const isMember = (id: string) =>
  `EXISTS (SELECT 1 FROM segment_members m WHERE m.project_id = $1 AND m.segment_id = ${id} AND m.contact_id = c.id AND m.origin <> 'removed')`
/** `topic_state` is opt_in, as a join, which reads a whole list in one go: in by default is who has not opted out. */
const isInTopic = (id: string, byDefault: Subscription) =>
  `${byDefault === "opt_in" ? "NOT " : ""}EXISTS (SELECT 1 FROM topic_preferences p WHERE p.project_id = $1 AND p.topic_id = ${id}
    AND p.contact_id = c.id AND p.subscription = '${byDefault === "opt_in" ? "opt_out" : "opt_in"}')`

function leadOf(filter: ResolvedFilter, given: (value: unknown) => string) {
  // Few are unsubscribed, and they have an index of their own, as addresses and words have.
  const byContact = filter.email !== undefined || filter.search !== undefined || filter.unsubscribed === true
  if (filter.segmentId !== undefined && !byContact) {
    const from = "segment_members l JOIN contacts c ON c.project_id = l.project_id AND c.id = l.contact_id"
    return {
      by: "segment",
      alias: "l" as const,
      from,
      key: "l.contact_id",
      where: [`l.segment_id = ${given(filter.segmentId)}`, "l.origin <> 'removed'"],
    }
  }
  if (filter.topicId !== undefined && filter.byDefault === "opt_out" && !byContact) {
    const from = "topic_preferences l JOIN contacts c ON c.project_id = l.project_id AND c.id = l.contact_id"
    return {
      by: "topic",
      alias: "l" as const,
      from,
      key: "l.contact_id",
      where: [`l.topic_id = ${given(filter.topicId)}`, "l.subscription = 'opt_in'"],
    }
  }
  return { by: "contacts", alias: "c", from: "contacts c", key: "c.id", where: [] } as const
}
