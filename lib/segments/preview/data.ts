import { type Queryable, transaction } from "@/lib/platform/database/db"
import { db } from "@/lib/platform/database/scoped-db"
import { sqlState } from "@/lib/platform/database/sql-errors"
import type { Scope } from "@/lib/platform/http/scope"
import { present } from "@/lib/platform/schema"
import { compileConditions, compileFilter, filterStatementMs } from "@/lib/segments/compile-sql"
import { conditionsOf, type Group, matchesFilter as filterMatches } from "@/lib/segments/rules"
import type { Preview } from "@/lib/segments/schema"

const stepMax = 5_000
const stepMin = 100
const budgetMs = 2_000

/**
 * Scans contacts from the newest on, in short statements, for 2 seconds at most: so a preview costs the same whatever the
 * filter and however many contacts there are.
 * @param topicId only contacts whose state in this topic is opt-in are sendable
 */
export async function previewAudience(
  scope: Scope,
  audience: PreviewAudience,
  topicId: string | null,
  clock: { now(): Date },
): Promise<Omit<Preview, "contact">> {
  const endsAt = clock.now().getTime() + budgetMs
  const sum = emptyPreview()
  let [after, size, exact]: [string | null, number, boolean] = [null, stepMax, false]
  while (!exact && clock.now().getTime() < endsAt) {
    const step = await readStep(scope, audience, topicId, after, size)
    if (!step) {
      if (size <= stepMin) break
      size = Math.ceil(size / 5)
      continue
    }
    add(sum, step)
    after = step.last
    exact = step.scanned < size
  }
  const total = exact ? sum.scanned : Math.max(sum.scanned, await totalOf(scope, audience))
  return { ...sum, exact, estimate: exact || !sum.scanned ? sum.count : Math.round((sum.count * total) / sum.scanned) }
}

/** The counter alone: an estimate needs no exact total. */
async function totalOf(scope: Scope, audience: PreviewAudience): Promise<number> {
  if ("filter" in audience) {
    const row = await db(scope).audienceTotal.findFirst({ select: { contacts: true } })
    return row?.contacts ?? 0
  }
  if ("segmentId" in audience) {
    const row = await db(scope).segment.findUnique({
      where: { id: audience.segmentId },
      select: { contactCount: true },
    })
    return row?.contactCount ?? 0
  }
  const row = await db(scope).topic.findUnique({ where: { id: audience.optedIn }, select: { optInCount: true } })
  return row?.optInCount ?? 0
}

function emptyPreview(): Omit<Preview, "contact"> {
  return {
    count: 0,
    exact: false,
    estimate: 0,
    scanned: 0,
    sample: [],
    sendable: 0,
    excluded: reasons.map((reason) => ({ reason, count: 0, sample: [] })),
  }
}

function add(sum: Omit<Preview, "contact">, step: Step) {
  sum.count += step.found
  sum.scanned += step.scanned
  sum.sample = [...sum.sample, ...step.sample].slice(0, sampleMax)
  sum.sendable += step.found - step.unsubscribed - step.suppressed - step.no_opt_in
  for (const one of sum.excluded) {
    one.count += step[one.reason]
    one.sample = [...one.sample, ...step[`${one.reason}_sample`]].slice(0, 5)
  }
}

/** Why a contact is in or out; null if the project has no such contact. */
export async function explainContact(
  scope: Scope,
  contactId: string,
  question: Question,
): Promise<NonNullable<Preview["contact"]> | null> {
  const row = await readContact(scope, contactId, question)
  if (!row) return null
  const { filter, segmentId } = question
  const conditions = filter
    ? conditionsOf(filter).map((one, at) => ({ ...one, matches: row.matching[at] ?? false }))
    : []
  const matching = new Set(conditions.flatMap((one) => (one.matches ? [one.pointer] : [])))
  const matches = segmentId
    ? row.origin !== null && row.origin !== "removed"
    : filter
      ? filterMatches(filter, matching)
      : row.optedIn
  return {
    contactId,
    email: row.email,
    matches,
    sendable: matches && row.excluded === null,
    excluded: present(row.excluded),
    origin: present(row.origin ?? null),
    conditions,
  }
}

// On `pg`, because a filter is compiled to SQL with parameters of its own.

/** What is previewed: the contacts that match a filter, the members of a segment, or those who opted in to a topic. */
export type PreviewAudience = { filter: Group } | { segmentId: string } | { optedIn: string }

/** The excluded reasons, each by the first that applies. */
const reasons = ["unsubscribed", "suppressed", "no_opt_in"] as const

const statementMs = 1_500
const sampleMax = 10
const queryCanceled = "57014"

/** What one statement found. */
type Step = {
  last: string | null
  scanned: number
  found: number
  sample: { contactId: string; email: string; firstName?: string; lastName?: string }[]
  unsubscribed: number
  suppressed: number
  no_opt_in: number
  unsubscribed_sample: string[]
  suppressed_sample: string[]
  no_opt_in_sample: string[]
}

/** The next `size` contacts after `after`; null if it took too long. */
async function readStep(
  scope: Scope,
  audience: PreviewAudience,
  topicId: string | null,
  after: string | null,
  size: number,
): Promise<Step | null> {
  const given = [scope.project.id, after, size, topicId]
  const { source, condition, values } = sourceOf(audience, given)
  try {
    const read = async (client: Queryable) => {
      const { rows } = await client.query<Step>(
        `WITH scanned AS (
            SELECT c.*, ${condition} AS matches FROM (SELECT c.* FROM ${source} ORDER BY c.id DESC LIMIT $3) c
          ), judged AS (
            SELECT s.*, CASE WHEN matches THEN ${excludedSql("s")} END AS excluded FROM scanned s
          )
          SELECT (array_agg(id ORDER BY id))[1] AS last, count(*)::int AS scanned, count(*) FILTER (WHERE matches)::int AS found,
            coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('contactId', id, 'email', email, 'firstName', first_name, 'lastName', last_name))
              ORDER BY id DESC) FILTER (WHERE matches AND rank <= ${sampleMax}), '[]') AS sample,
            ${reasons
              .map(
                (reason) => `count(*) FILTER (WHERE excluded = '${reason}')::int AS ${reason},
            coalesce((array_agg(email ORDER BY id DESC) FILTER (WHERE excluded = '${reason}'))[1:5], '{}') AS ${reason}_sample`,
              )
              .join(",\n")}
          FROM (SELECT *, count(*) FILTER (WHERE matches) OVER (ORDER BY id DESC ROWS UNBOUNDED PRECEDING) AS rank FROM judged) ranked`,
        values,
      )
      return rows[0] ?? null
    }
    return await transaction(read, { statementMs })
  } catch (error) {
    if (sqlState(error) === queryCanceled) return null
    throw error
  }
}

/** Parameters: $1 the project, $2 the contact to continue after, $3 how many, $4 the topic. */
function sourceOf(
  audience: PreviewAudience,
  given: unknown[],
): { source: string; condition: string; values: unknown[] } {
  const range = "c.project_id = $1 AND ($2::uuid IS NULL OR c.id < $2)"
  if ("filter" in audience) {
    const { sql, values } = compileFilter(audience.filter, given)
    return { source: `contacts c WHERE ${range}`, condition: sql, values }
  }
  const [table, where, id] =
    "segmentId" in audience
      ? ["segment_members m", "m.segment_id = $5 AND m.origin <> 'removed'", audience.segmentId]
      : ["topic_preferences m", "m.topic_id = $5 AND m.subscription = 'opt_in'", audience.optedIn]
  // By the member's own id, so that the order comes from its index.
  const source = `(SELECT m.contact_id FROM ${table} WHERE m.project_id = $1 AND ${where}
      AND ($2::uuid IS NULL OR m.contact_id < $2) ORDER BY m.contact_id DESC LIMIT $3) m
    JOIN contacts c ON c.project_id = $1 AND c.id = m.contact_id`
  return { source, condition: "true", values: [...given, id] }
}

/** Why a send excludes a contact, by the first reason that applies, or NULL. $4 is the topic of the send. */
function excludedSql(contact: string): string {
  return `CASE WHEN ${contact}.unsubscribed THEN 'unsubscribed'
    WHEN EXISTS (SELECT 1 FROM suppressions x WHERE x.project_id = ${contact}.project_id AND x.email = ${contact}.email) THEN 'suppressed'
    WHEN $4::uuid IS NOT NULL AND topic_state(${contact}.project_id, $4, ${contact}.id) IS DISTINCT FROM 'opt_in' THEN 'no_opt_in'
    END`
}

export type ExplainedRow = {
  email: string
  origin: NonNullable<Preview["contact"]>["origin"] | null
  optedIn: boolean
  excluded: NonNullable<Preview["contact"]>["excluded"] | null
  /** Whether each condition of the filter matches, in its order. */
  matching: boolean[]
}

type Question = {
  filter: Group | null
  segmentId: string | null
  optedIn: string | null
  topicId: string | null
}

/** What decides whether a contact is in or out; null if the project has no such contact. */
async function readContact(scope: Scope, contactId: string, question: Question): Promise<ExplainedRow | null> {
  const { filter, segmentId, optedIn, topicId } = question
  const { sql, values } = compileConditions(filter ?? {}, [scope.project.id, contactId, segmentId, topicId, optedIn])
  const read = (client: Queryable) =>
    client.query<ExplainedRow>(
      `SELECT c.email, ${excludedSql("c")} AS excluded, ARRAY[${sql.join(", ")}]::boolean[] AS matching,
        (SELECT m.origin FROM segment_members m WHERE m.project_id = $1 AND m.segment_id = $3::uuid AND m.contact_id = c.id) AS origin,
        EXISTS (SELECT 1 FROM topic_preferences o WHERE o.project_id = $1 AND o.topic_id = $5::uuid AND o.contact_id = c.id
          AND o.subscription = 'opt_in') AS "optedIn"
      FROM contacts c WHERE c.project_id = $1 AND c.id = $2`,
      values,
    )
  const { rows } = await transaction(read, { statementMs: filterStatementMs })
  return rows[0] ?? null
}
