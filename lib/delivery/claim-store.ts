import { pool } from "@/lib/platform/db"
import type { Region } from "@/lib/platform/env"

/** A delivery that is ours until its lease ends. */
export type Claimed = {
  id: string
  projectId: string
  emailId: string
  address: string
  canonical: string
  status: "sending" | "delivery_delayed"
  /** The fence: whoever holds an older number has lost the delivery. */
  attempt: number
  /** Hand-offs before this one that count. */
  tries: number
  /** Claims in a row without an outcome, this one included. */
  unfinished: number
  /** An earlier claim that began to send the message's data and whose outcome nobody knows; only where the project says hold. */
  dataAttempt: number | null
  firstAttemptAt: Date
  claimedAt: Date
}

export type ClaimOptions = { region: Region; limit: number; leaseMs: number }

/** Looked at in one claim; the next goes on behind them. */
const projectsMax = 200
const beforeAll = "00000000-0000-0000-0000-000000000000"

/**
 * A claim for one region that goes round the projects: each gets an equal share of `limit`, no more than its hand-off
 * allowance, and a project whose allowance another worker is reading right now is left to that one. Times are the
 * database's.
 */
export function createClaim(): (options: ClaimOptions) => Promise<Claimed[]> {
  let behind = beforeAll
  let idle = false

  return async (options) => {
    // Nearly every region is idle nearly always: a glance at the index costs a tenth of a claim.
    if (idle && !(await anyWaits(options.region))) return []
    const from = behind
    const round = await claimBehind(from, options)
    behind = round.next
    idle = round.claimed.length === 0
    const left = options.limit - round.claimed.length
    if (left === 0 || from === beforeAll || behind !== beforeAll) return round.claimed
    const again = await claimBehind(beforeAll, { ...options, limit: left })
    behind = again.next
    return [...round.claimed, ...again.claimed]
  }
}

async function anyWaits(region: Region): Promise<boolean> {
  const { rows } = await pool().query({
    name: "delivery.any_waits",
    text: "SELECT 1 FROM deliveries WHERE region = $1 AND due_at IS NOT NULL LIMIT 1",
    values: [region],
  })
  return rows.length > 0
}

/** `next` is where to go on: behind the last project that was served or looked at, or from the start. */
async function claimBehind(behind: string, { region, limit, leaseMs }: ClaimOptions) {
  const { rows } = await pool().query<Row | (Walked & { id: null })>({
    name: "delivery.claim",
    text: claimStatement,
    values: [region, behind, projectsMax, limit, leaseMs / 1000],
  })
  const claimed = rows.flatMap((row) => (row.id === null ? [] : [toClaimed(row)]))
  const lastServed = claimed.reduce((last, { projectId }) => (projectId > last ? projectId : last), beforeAll)
  const walked = rows[0]
  const lastWalked = walked && walked.walked === projectsMax ? (walked.last_walked ?? beforeAll) : beforeAll
  return { claimed, next: claimed.length === limit ? lastServed : lastWalked }
}

const claimStatement = `
  WITH RECURSIVE walk AS (
    (SELECT project_id FROM deliveries WHERE region = $1 AND due_at IS NOT NULL AND project_id > $2
      ORDER BY project_id LIMIT 1)
    UNION ALL
    SELECT (SELECT d.project_id FROM deliveries d
        WHERE d.region = $1 AND d.due_at IS NOT NULL AND d.project_id > w.project_id ORDER BY d.project_id LIMIT 1)
      FROM walk w WHERE w.project_id IS NOT NULL
  ), waiting AS MATERIALIZED (
    SELECT w.project_id FROM walk w WHERE w.project_id IS NOT NULL AND EXISTS (
        SELECT 1 FROM deliveries d WHERE d.region = $1 AND d.project_id = w.project_id AND d.due_at <= now())
      LIMIT $3
  ), allowance AS MATERIALIZED (
    SELECT a.project_id, least(greatest(100, 20 * p.per_second_sends), a.handoff_tokens
        + greatest(0, extract(epoch FROM now() - a.handoff_refilled_at))::double precision * p.per_second_sends) AS tokens
      FROM send_allowances a JOIN projects p ON p.id = a.project_id
      WHERE a.project_id IN (SELECT project_id FROM waiting) AND p.suspended_at IS NULL AND p.deleted_at IS NULL
      ORDER BY a.project_id FOR UPDATE OF a SKIP LOCKED
  ), share AS (
    SELECT ceil($4::numeric / greatest(1, count(*)))::int AS most FROM allowance
  ), taken AS MATERIALIZED (
    SELECT a.project_id, d.id FROM allowance a, share s, LATERAL (
        SELECT id FROM deliveries WHERE region = $1 AND project_id = a.project_id AND due_at <= now()
          ORDER BY due_at LIMIT greatest(0, least(s.most, floor(a.tokens)))::int FOR UPDATE SKIP LOCKED) d
      LIMIT $4
  ), debited AS (
    UPDATE send_allowances s SET handoff_tokens = a.tokens - t.count, handoff_refilled_at = now()
      FROM allowance a JOIN (SELECT project_id, count(*) FROM taken GROUP BY project_id) t USING (project_id)
      WHERE s.project_id = a.project_id
  ), claimed AS (
    UPDATE deliveries d SET status = CASE WHEN d.status = 'delivery_delayed' THEN d.status ELSE 'sending' END,
        attempt = d.attempt + 1, unfinished = d.unfinished + 1, due_at = now() + make_interval(secs => $5),
        first_attempt_at = coalesce(d.first_attempt_at, now()), updated_at = now()
      -- An array, not a join: the planner then never reads the whole table.
      WHERE d.id = ANY (ARRAY(SELECT id FROM taken))
      RETURNING d.id, d.project_id, d.email_id, d.address, d.canonical, d.status, d.attempt, d.tries, d.unfinished,
        d.data_attempt, d.first_attempt_at
  )
  SELECT c.*, now() AS claimed_at, w.walked, w.last_walked
    FROM (SELECT (SELECT count(*)::int FROM waiting) AS walked,
        (SELECT project_id FROM waiting ORDER BY project_id DESC LIMIT 1) AS last_walked) w
    LEFT JOIN claimed c ON true`

type Walked = { walked: number; last_walked: string | null }

type Row = Walked & {
  id: string
  project_id: string
  email_id: string
  address: string
  canonical: string
  status: Claimed["status"]
  attempt: number
  tries: number
  unfinished: number
  data_attempt: number | null
  first_attempt_at: Date
  claimed_at: Date
}

function toClaimed(row: Row): Claimed {
  return {
    id: row.id,
    projectId: row.project_id,
    emailId: row.email_id,
    address: row.address,
    canonical: row.canonical,
    status: row.status,
    attempt: row.attempt,
    tries: row.tries,
    unfinished: row.unfinished,
    dataAttempt: row.data_attempt,
    firstAttemptAt: row.first_attempt_at,
    claimedAt: row.claimed_at,
  }
}

/** Says of emails that they are being handed over; an email that somebody else holds right now gets its status from them. */
export async function markSending(emailIds: readonly string[]): Promise<void> {
  await pool().query({
    name: "delivery.mark_sending",
    text: `UPDATE emails SET status = 'sending', updated_at = now() WHERE id IN (
        SELECT id FROM emails WHERE id = ANY ($1) AND status = 'queued' FOR UPDATE SKIP LOCKED)`,
    values: [emailIds],
  })
}

/** Prolongs leases; answers the ids that are still ours. A claim that has just ended with a wait keeps its wait. */
export async function prolong(held: readonly Claimed[], leaseMs: number): Promise<Set<string>> {
  const { rows } = await pool().query<{ id: string }>({
    name: "delivery.prolong",
    text: `UPDATE deliveries d SET due_at = now() + make_interval(secs => $3)
      FROM unnest($1::uuid[], $2::int[]) AS held(id, attempt)
      WHERE d.id = held.id AND d.attempt = held.attempt AND d.status IN ('sending', 'delivery_delayed')
        AND d.unfinished > 0 RETURNING d.id`,
    values: [held.map(({ id }) => id), held.map(({ attempt }) => attempt), leaseMs / 1000],
  })
  return new Set(rows.map(({ id }) => id))
}

/**
 * Gives claims up as if they had not been made; one after the other comes back, so many seconds apart. The fence moves
 * on, so that doing it twice changes nothing.
 */
export async function putBack(claimed: readonly Claimed[], apartSeconds: number): Promise<void> {
  await pool().query({
    name: "delivery.put_back",
    text: `UPDATE deliveries d SET due_at = now() + given.place * make_interval(secs => $3), unfinished = d.unfinished - 1,
        attempt = d.attempt + 1
      FROM unnest($1::uuid[], $2::int[]) WITH ORDINALITY AS given(id, attempt, place)
      WHERE d.id = given.id AND d.attempt = given.attempt AND d.status IN ('sending', 'delivery_delayed')`,
    values: [claimed.map(({ id }) => id), claimed.map(({ attempt }) => attempt), apartSeconds],
  })
}
