import { conditions, type EmailFilter } from "@/lib/emails/log-conditions-sql"
import { queuedEmails } from "@/lib/emails/search/queue-sql"
import { gramsOfWords, lineOf, matches } from "@/lib/emails/search/rules"
import { pool } from "@/lib/platform/database/db"
import type { Scope } from "@/lib/platform/http/scope"

/** An email that was found, as the time-ordered id and the status that it has. */
export type Match = { id: string; status: string }

/** `reached`: all emails behind this id have still to be searched; null once there are none. */
export type Found = { matches: Match[]; reached: string | null }

// On `pg`, because a search reads arrays of hashes, and conditions that are composed of text and parameters.

/** Emails of the queue that a search reads; more wait there only while the index is behind. */
const queuedMax = 5_000
/** Groups of the first statement, and the most of a later one: some milliseconds, some 10 for the newest and some 50 by the index. */
const firstGroups = 32
const groupsMax = { newest: 128, indexed: 512 }
/** The newest groups are read in order as long as one in this number holds a match. */
const groupsPerMatch = 8
const lastId = "ffffffff-ffff-ffff-ffff-ffffffffffff"

/**
 * The emails that hold all of these words and pass the filter, newest first: those of the queue and of each statement over
 * the index, which is short however many emails there are. Whoever reads no further has not searched further.
 */
export async function* searchEmails(
  scope: Scope,
  words: readonly string[],
  filter: EmailFilter,
): AsyncGenerator<Found> {
  if (words.length === 0) return
  // First the queue: an email that moves into the index meanwhile is then found twice, never missed.
  const held = new Map((await searchQueue(scope, words, filter)).map((match) => [match.id, match]))
  let behind = lastId
  let way: Way = "newest"
  for (let groups = firstGroups; ; groups = Math.min(4 * groups, groupsMax[way])) {
    const { found, reached } = await searchGroups(scope, words, filter, { behind, groups, way })
    // All groups with a frequent word would be found and sorted for a page of the newest; a rare one would be looked for in all.
    if (found.length * groupsPerMatch < groups) way = "indexed"
    for (const match of found) held.set(match.id, match)
    const ready = [...held.values()].filter(({ id }) => reached === null || id >= reached).sort(newestFirst)
    for (const { id } of ready) held.delete(id)
    yield { matches: ready, reached }
    if (reached === null) return
    behind = reached
  }
}

function newestFirst(a: Match, b: Match): number {
  return a.id < b.id ? 1 : -1
}

/** Their texts are folded here, as those of the index were. The conditions name the project. */
async function searchQueue(scope: Scope, words: readonly string[], filter: EmailFilter): Promise<Match[]> {
  const { where, values } = conditions(scope, filter)
  const rows = await queuedEmails({ which: `DESC LIMIT ${queuedMax}`, where }, values, pool())
  return rows.filter((row) => matches(lineOf(row), words)).map(({ id, status }) => ({ id, status }))
}

type Way = "newest" | "indexed"
type Groups = { behind: string; groups: number; way: Way }

/**
 * Searches the next groups, all of them or those that may hold a match; `reached` is where the following begin. The
 * conditions name the project.
 */
export async function searchGroups(
  scope: Scope,
  words: readonly string[],
  filter: EmailFilter,
  { behind, groups, way }: Groups,
): Promise<{ found: Match[]; reached: string | null }> {
  const { where, values } = conditions(scope, filter)
  const all = [...values]
  const place = (value: unknown) => `$${all.push(value)}`
  const { after, before } = filter
  const bounds = [
    ...(way === "indexed" ? [`g.grams @> ${place(gramsOfWords(scope.project.id, words))}::integer[]`] : []),
    `g.last_id < ${place(behind)}`,
    ...(after ? [`g.last_id >= first_id_at(${place(after)})`] : []),
    ...(before ? [`g.first_id < first_id_at(${place(before)})`] : []),
  ]
  // As text no index has this order: the planner would walk it, reading the hashes of every group.
  const order = way === "indexed" ? 'g.last_id::text COLLATE "C" DESC' : "g.last_id DESC"
  const held = words.map((word) => `strpos(u.line, ${place(word)}) > 0`)
  const { rows } = await pool().query<{ lastId: string; id: string | null; status: string | null }>(
    `WITH candidate AS MATERIALIZED (
        SELECT g.last_id, g.email_ids, g.lines FROM email_search_groups g
          WHERE g.project_id = $1 AND ${bounds.join(" AND ")} ORDER BY ${order} LIMIT ${groups}
      )
      SELECT c.last_id AS "lastId", found.id, found.status FROM candidate c LEFT JOIN LATERAL (
          SELECT e.id, e.status FROM unnest(c.email_ids, c.lines) AS u(id, line)
            JOIN emails e ON e.id = u.id WHERE ${held.join(" AND ")} AND ${where}
        ) found ON true`,
    all,
  )
  const candidates = [...new Set(rows.map((row) => row.lastId))].sort()
  return {
    found: rows.flatMap(({ id, status }) => (id !== null && status !== null ? [{ id, status }] : [])),
    reached: candidates.length === groups ? (candidates[0] ?? null) : null,
  }
}
