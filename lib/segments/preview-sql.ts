import { transaction, type Queryable } from "@/lib/platform/database/db"
import { sqlState } from "@/lib/platform/database/sql-errors"
import type { Scope } from "@/lib/platform/http/scope"
import { compileConditions, compileFilter, filterStatementMs } from "@/lib/segments/compile-sql"
import type { Group } from "@/lib/segments/rules"
import type { Preview } from "@/lib/segments/schema"

/** What is previewed: the contacts that match a filter, the members of a segment, or those who opted in to a topic. */
export type Audience = { filter: Group } | { segmentId: string } | { optedIn: string }

/** The excluded reasons, each by the first that applies. */
export const reasons = ["unsubscribed", "suppressed", "no_opt_in"] as const

const statementMs = 1_500
export const sampleMax = 10
const queryCanceled = "57014"

/** What one statement found. */
export type Step = {
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

/**
 * The next `size` contacts after `after`; null if it took too long. On `pg`, because a filter is compiled to SQL with
 * parameters of its own.
 */
export async function readStep(
  scope: Scope,
  audience: Audience,
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
function sourceOf(audience: Audience, given: unknown[]): { source: string; condition: string; values: unknown[] } {
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

export type Question = {
  filter: Group | null
  segmentId: string | null
  optedIn: string | null
  topicId: string | null
}

/**
 * What decides whether a contact is in or out; null if the project has no such contact. On `pg`, because a filter is
 * compiled to SQL with parameters of its own.
 */
export async function readContact(scope: Scope, contactId: string, question: Question): Promise<ExplainedRow | null> {
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
