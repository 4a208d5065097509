import type pg from "pg"
import { pool, transaction } from "@/lib/platform/database/db"
import { present } from "@/lib/platform/schema"
import type { Scope } from "@/lib/platform/http/scope"
import { sqlState } from "@/lib/platform/database/sql-errors"
import { compileConditions, compileFilter, filterStatementMs } from "@/lib/segments/compile"
import { conditionsOf, holds, type Group } from "@/lib/segments/rules"
import type { Preview } from "@/lib/segments/schema"

/** Whom a look is about: contacts that a filter holds for, members of a segment, or those who opted in to a topic. */
export type Audience = { filter: Group } | { segmentId: string } | { optedIn: string }

const stepMax = 5_000
const stepMin = 100
const budgetMs = 2_000
const statementMs = 1_500
const sampleMax = 10
const queryCanceled = "57014"

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

/**
 * Looks at contacts from the newest on, in short statements, for 2 seconds at most: so a look costs the same whatever
 * the filter and however many contacts there are.
 * @param topicId only who effectively gets this topic is sent to
 */
export async function lookAt(
  scope: Scope,
  audience: Audience,
  topicId: string | null,
  clock: { now(): Date },
): Promise<Omit<Preview, "contact">> {
  const endsAt = clock.now().getTime() + budgetMs
  const sum = emptyPreview()
  let [behind, size, exact]: [string | null, number, boolean] = [null, stepMax, false]
  while (!exact && clock.now().getTime() < endsAt) {
    const step = await readStep(scope, audience, topicId, behind, size)
    if (!step) {
      if (size <= stepMin) break
      size = Math.ceil(size / 5)
      continue
    }
    add(sum, step)
    behind = step.last
    exact = step.scanned < size
  }
  const total = exact ? sum.scanned : Math.max(sum.scanned, await totalOf(scope, audience))
  return { ...sum, exact, estimate: exact || !sum.scanned ? sum.count : Math.round((sum.count * total) / sum.scanned) }
}

/** Null if it took too long. */
async function readStep(
  scope: Scope,
  audience: Audience,
  topicId: string | null,
  behind: string | null,
  size: number,
): Promise<Step | null> {
  const given = [scope.project.id, behind, size, topicId]
  const { source, condition, values } = sourceOf(audience, given)
  try {
    return await within(statementMs, async (client) => {
      const { rows } = await client.query<Step>(
        `WITH looked AS (
            SELECT c.*, ${condition} AS matches FROM (${source} ORDER BY c.id DESC LIMIT $3) c
          ), judged AS (
            SELECT l.*, CASE WHEN matches THEN ${leftOutSql("l")} END AS left_out FROM looked l
          )
          SELECT (array_agg(id ORDER BY id))[1] AS last, count(*)::int AS scanned, count(*) FILTER (WHERE matches)::int AS found,
            coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('contactId', id, 'email', email, 'firstName', first_name, 'lastName', last_name))
              ORDER BY id DESC) FILTER (WHERE matches AND place <= ${sampleMax}), '[]') AS sample,
            ${["unsubscribed", "suppressed", "no_opt_in"]
              .map(
                (reason) => `count(*) FILTER (WHERE left_out = '${reason}')::int AS ${reason},
            coalesce((array_agg(email ORDER BY id DESC) FILTER (WHERE left_out = '${reason}'))[1:5], '{}') AS ${reason}_sample`,
              )
              .join(",\n")}
          FROM (SELECT *, count(*) FILTER (WHERE matches) OVER (ORDER BY id DESC ROWS UNBOUNDED PRECEDING) AS place FROM judged) placed`,
        values,
      )
      return rows[0] ?? null
    })
  } catch (error) {
    if (sqlState(error) === queryCanceled) return null
    throw error
  }
}

/** Statements of `work` end after so many milliseconds (SQLSTATE 57014). */
function within<T>(ms: number, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  return transaction(async (client) => {
    await client.query(`SET LOCAL statement_timeout = ${ms}`)
    return work(client)
  })
}

/** Parameters: $1 project, $2 the contact behind which to go on, $3 how many, $4 the topic. */
function sourceOf(audience: Audience, given: unknown[]): { source: string; condition: string; values: unknown[] } {
  const place = "c.project_id = $1 AND ($2::uuid IS NULL OR c.id < $2)"
  if ("filter" in audience) {
    const { sql, values } = compileFilter(audience.filter, given)
    return { source: `SELECT c.* FROM contacts c WHERE ${place}`, condition: sql, values }
  }
  const [table, where, id] =
    "segmentId" in audience
      ? ["segment_members m", "m.segment_id = $5 AND m.origin <> 'removed'", audience.segmentId]
      : ["topic_preferences m", "m.topic_id = $5 AND m.subscription = 'opt_in'", audience.optedIn]
  // By the member's own id, so that the order comes from its index.
  const source = `SELECT c.* FROM (SELECT m.contact_id FROM ${table} WHERE m.project_id = $1 AND ${where}
      AND ($2::uuid IS NULL OR m.contact_id < $2) ORDER BY m.contact_id DESC LIMIT $3) m
    JOIN contacts c ON c.project_id = $1 AND c.id = m.contact_id`
  return { source, condition: "true", values: [...given, id] }
}

/** Why a send leaves a contact out, by the first reason that holds; NULL where it does not. $4 is the topic of the send. */
function leftOutSql(contact: string): string {
  return `CASE WHEN ${contact}.unsubscribed THEN 'unsubscribed'
    WHEN EXISTS (SELECT 1 FROM suppressions x WHERE x.project_id = ${contact}.project_id AND x.email = ${contact}.email) THEN 'suppressed'
    WHEN $4::uuid IS NOT NULL AND topic_state(${contact}.project_id, $4, ${contact}.id) IS DISTINCT FROM 'opt_in' THEN 'no_opt_in'
    END`
}

async function totalOf(scope: Scope, audience: Audience): Promise<number> {
  const { rows } = await ("filter" in audience
    ? pool().query<{ total: number }>("SELECT contacts AS total FROM audience_totals WHERE project_id = $1", [
        scope.project.id,
      ])
    : "segmentId" in audience
      ? pool().query<{ total: number }>(
          "SELECT contact_count AS total FROM segments WHERE project_id = $1 AND id = $2",
          [scope.project.id, audience.segmentId],
        )
      : pool().query<{ total: number }>("SELECT opt_in_count AS total FROM topics WHERE project_id = $1 AND id = $2", [
          scope.project.id,
          audience.optedIn,
        ]))
  return rows[0]?.total ?? 0
}

const reasons = ["unsubscribed", "suppressed", "no_opt_in"] as const

function emptyPreview(): Omit<Preview, "contact"> {
  return {
    count: 0,
    exact: false,
    estimate: 0,
    scanned: 0,
    sample: [],
    sendable: 0,
    leftOut: reasons.map((reason) => ({ reason, count: 0, sample: [] })),
  }
}

function add(sum: Omit<Preview, "contact">, step: Step) {
  sum.count += step.found
  sum.scanned += step.scanned
  sum.sample = [...sum.sample, ...step.sample].slice(0, sampleMax)
  sum.sendable += step.found - step.unsubscribed - step.suppressed - step.no_opt_in
  for (const one of sum.leftOut) {
    one.count += step[one.reason]
    one.sample = [...one.sample, ...step[`${one.reason}_sample`]].slice(0, 5)
  }
}

type Explained = NonNullable<Preview["contact"]>

/** Why a contact is in or out; null if the project has no such contact. */
export async function explain(
  scope: Scope,
  contactId: string,
  asked: { filter: Group | null; segmentId: string | null; optedIn: string | null; topicId: string | null },
): Promise<Explained | null> {
  const { filter, segmentId, optedIn, topicId } = asked
  const { sql, values } = compileConditions(filter ?? {}, [scope.project.id, contactId, segmentId, topicId, optedIn])
  type Row = {
    email: string
    origin: Explained["origin"] | null
    opted_in: boolean
    left_out: Explained["leftOut"] | null
    holding: boolean[]
  }
  const { rows } = await within(filterStatementMs, (client) =>
    client.query<Row>(
      `SELECT c.email, ${leftOutSql("c")} AS left_out, ARRAY[${sql.join(", ")}]::boolean[] AS holding,
        (SELECT m.origin FROM segment_members m WHERE m.project_id = $1 AND m.segment_id = $3::uuid AND m.contact_id = c.id) AS origin,
        EXISTS (SELECT 1 FROM topic_preferences o WHERE o.project_id = $1 AND o.topic_id = $5::uuid AND o.contact_id = c.id
          AND o.subscription = 'opt_in') AS opted_in
      FROM contacts c WHERE c.project_id = $1 AND c.id = $2`,
      values,
    ),
  )
  const [row] = rows
  if (!row) return null
  const conditions = filter ? conditionsOf(filter).map((one, at) => ({ ...one, holds: row.holding[at] ?? false })) : []
  const holding = new Set(conditions.flatMap((one) => (one.holds ? [one.pointer] : [])))
  const matches = segmentId
    ? row.origin !== null && row.origin !== "removed"
    : filter
      ? holds(filter, holding)
      : row.opted_in
  return {
    contactId,
    email: row.email,
    matches,
    sendable: matches && row.left_out === null,
    leftOut: present(row.left_out),
    origin: present(row.origin ?? null),
    conditions,
  }
}
