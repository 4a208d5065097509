import { conditions, type EmailFilter } from "@/lib/emails/log/filter"
import { wordsOf, gramsOf, gramsOfWords, lineOf, hasWords, type Searched } from "@/lib/emails/search/rules"
import { pool, type Queryable, transaction } from "@/lib/platform/database/db"
import { distinctIds, firstId } from "@/lib/platform/database/bounded-reads-sql"
import { columnsOf } from "@/lib/platform/database/shape"
import type { Scope } from "@/lib/platform/http/scope"
import { runRepeatedly } from "@/lib/platform/jobs/leases"

/** A search lists and counts the newest matches up to here. */
export const matchesMax = 1_000

/** How long counting continues after the page is complete, and how long the search for the page may take. */
const countMs = 40
const searchMs = 2_000

type SearchResult = {
  /** Newest first, at most `matchesMax`. */
  matches: Match[]
  /** Whether these are all. */
  complete: boolean
  /** Where the search ran out of time before it found as many as were asked for. */
  reached: string | null
}

/** The newest matches: `wanted` of them, and more as long as they take little time. */
export async function search(scope: Scope, filter: EmailFilter, wanted: number): Promise<SearchResult> {
  const startedAt = performance.now()
  const matches: Match[] = []
  for await (const found of searchEmails(scope, wordsOf(filter.search ?? ""), filter)) {
    matches.push(...found.matches)
    const took = performance.now() - startedAt
    const enough = matches.length >= Math.min(wanted, matchesMax)
    if (found.reached === null) break
    if (matches.length >= matchesMax || (enough && took > countMs))
      return { matches: matches.slice(0, matchesMax), complete: false, reached: null }
    if (took > searchMs) return { matches, complete: false, reached: found.reached }
  }
  return { matches: matches.slice(0, matchesMax), complete: matches.length <= matchesMax, reached: null }
}

// On `pg`: a search reads arrays of hashes under conditions composed of text and parameters, and the index moves emails in
// numbers.

/** An email that was found, as the time-ordered id and the status that it has. */
type Match = { id: string; status: string }

/** `reached`: all emails behind this id have still to be searched; null once there are none. */
type SearchedRange = { matches: Match[]; reached: string | null }

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
): AsyncGenerator<SearchedRange> {
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
  return rows.filter((row) => hasWords(lineOf(row), words)).map(({ id, status }) => ({ id, status }))
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

// The index, and the queue before it

/** Emails that one row of the index holds: they share most parts of their texts, and a frequent word has fewer rows. */
export const groupSize = 64
/** Groups that one transaction writes. */
const groupsAtOnce = 16
const projectsAtOnce = 50

/**
 * Moves emails from the queue of the search into its index, once a project has enough of them for a group. Until then
 * a search reads them in the queue.
 * @returns whether more can be moved at once
 */
export async function indexQueued(): Promise<boolean> {
  const projects = await distinctIds(firstId, {
    name: "emails.search_projects",
    table: "email_search_queue",
    column: "project_id",
    also: `(SELECT true FROM email_search_queue q WHERE q.project_id = walk.id OFFSET ${groupSize - 1} LIMIT 1)`,
    limit: projectsAtOnce,
  })
  let more = projects.length === projectsAtOnce
  for (const projectId of projects) more = (await indexGroups(projectId)) === groupsAtOnce || more
  return more
}

/** How many groups were written; another worker's rows are left to it. */
async function indexGroups(projectId: string): Promise<number> {
  return transaction(async (client) => {
    const rows = await takeQueued(projectId, client)
    const groups = Array.from({ length: Math.floor(rows.length / groupSize) }, (_, at) =>
      rows.slice(at * groupSize, (at + 1) * groupSize),
    )
    for (const group of groups) await addGroup(projectId, group, client)
    return groups.length
  })
}

/** The oldest queued emails of the project that no other worker has taken, as far as they fill groups. */
function takeQueued(projectId: string, on: Queryable): Promise<QueuedEmail[]> {
  const oldest = { which: `LIMIT ${groupSize * groupsAtOnce} FOR UPDATE SKIP LOCKED`, where: "e.project_id = $1" }
  return queuedEmails(oldest, [projectId], on)
}

async function addGroup(projectId: string, rows: readonly QueuedEmail[], on: Queryable): Promise<void> {
  const lines = rows.map(lineOf)
  await on.query({
    name: "emails.search_add_group",
    text: `WITH taken AS (
        DELETE FROM email_search_queue WHERE project_id = $1 AND email_id = ANY ($4::uuid[])
      )
      INSERT INTO email_search_groups (project_id, first_id, last_id, email_ids, lines, grams)
        VALUES ($1, $2, $3, $4, $5, $6)`,
    values: [projectId, rows[0]?.id, rows.at(-1)?.id, rows.map(({ id }) => id), lines, gramsOf(projectId, lines)],
  })
}

const shape = {
  ...{ id: true, status: true, fromHeader: true, toHeaders: true, ccHeaders: true, bccHeaders: true },
  ...{ subject: true, tags: true },
} as const

type QueuedEmail = Searched & { id: string; status: string }

/**
 * Emails of a project, which is $1, that are not in the index of the search yet, in the order of their ids.
 * @param which of the queue: in which order, how many, and whether they are locked
 * @param where a condition of the emails e
 */
async function queuedEmails(
  { which, where }: { which: string; where: string },
  values: readonly unknown[],
  on: Queryable,
): Promise<QueuedEmail[]> {
  const { rows } = await on.query<QueuedEmail>(
    `SELECT ${columnsOf(shape, "e")}
      FROM (SELECT email_id FROM email_search_queue WHERE project_id = $1 ORDER BY email_id ${which}) q
      JOIN emails e ON e.id = q.email_id AND ${where} ORDER BY e.id`,
    [...values],
  )
  return rows
}

/** Until then an email is found in the queue, so this is not urgent. */
const intervalMs = 5_000

/** Keeps the index of the search until the signal aborts. Never rejects. */
export function runEmailSearch(signal: AbortSignal): Promise<void> {
  return runRepeatedly({ name: "email search", round: indexQueued, intervalMs, signal })
}
