import { secondsToLive } from "@/lib/delivery/queue/retry"
import { columnsOf } from "@/lib/platform/database/shape"

/** What a claim reads of a delivery. */
export const claimedShape = {
  ...{ id: true, projectId: true, emailId: true, address: true, canonical: true, status: true },
  ...{ attempt: true, attemptCount: true, unfinished: true, dataAttempt: true },
} as const

// On `pg`, because Prisma has no SKIP LOCKED, and every worker claims all the time.

/**
 * Which due deliveries a claim takes: normally everything; while the relay of the region is unreachable, mail for the
 * simulator or expired mail; while the simulator is unreachable, everything else.
 */
export type Which = "everything" | "simulated" | "expired" | "relayed"

const secondsMax = secondsToLive(null)

/** `$6` is the pattern of the simulator's addresses. */
const conditions: Record<Which, string> = {
  everything: "",
  // The first pattern is that of the index.
  simulated: "AND d.canonical LIKE '%@simulator.%' AND d.canonical LIKE $6",
  relayed: "AND d.canonical NOT LIKE $6",
  expired: `AND EXISTS (SELECT 1 FROM emails e WHERE e.id = d.email_id AND coalesce(e.scheduled_at, e.created_at)
    < now() - make_interval(secs => least(${secondsMax}, coalesce(e.give_up_after, ${secondsMax}))))`,
}

/** As many as a bucket holds at most, of project `p`; and what the bucket `a` holds now. */
export const tokensMax = "greatest(100, 20 * p.per_second_sends)"
export const tokens = `least(${tokensMax},
  a.tokens + greatest(0, extract(epoch FROM now() - a.refilled_at))::double precision * p.per_second_sends)`

/**
 * Leases up to `$4` due deliveries of region `$1` for `$5` seconds, from at most `$3` projects after `$2`. Only projects
 * with tokens share the claim, equally: the share that one has no tokens or no mail for goes to the others. A project
 * whose allowance another worker has locked is left to that worker.
 */
export function claimStatement(which: Which): string {
  const due = `d.region = $1 AND d.due_at <= now() ${conditions[which]}`
  const waits = `d.region = $1 AND d.due_at IS NOT NULL ${which === "simulated" ? conditions[which] : ""}`
  return `
  WITH RECURSIVE walk AS (
    (SELECT d.project_id FROM deliveries d WHERE ${waits} AND d.project_id > $2 ORDER BY d.project_id LIMIT 1)
    UNION ALL
    SELECT (SELECT d.project_id FROM deliveries d WHERE ${waits} AND d.project_id > w.project_id
        ORDER BY d.project_id LIMIT 1)
      FROM walk w WHERE w.project_id IS NOT NULL
  ), waiting AS MATERIALIZED (
    -- Not EXISTS, which may become a join: it would read all that is due.
    SELECT w.project_id FROM walk w WHERE w.project_id IS NOT NULL
        AND (SELECT true FROM deliveries d WHERE d.project_id = w.project_id AND ${due} LIMIT 1)
      LIMIT $3
  ), allowance AS MATERIALIZED (
    SELECT a.project_id, ${tokens} AS tokens FROM delivery_allowances a JOIN projects p ON p.id = a.project_id
      WHERE a.project_id IN (SELECT project_id FROM waiting) AND p.suspended_at IS NULL AND p.deleted_at IS NULL
        AND ${tokens} >= 1
      ORDER BY a.project_id FOR UPDATE OF a SKIP LOCKED
  ), wanted AS (
    -- Of a project with more than twice its equal share it is enough to know that.
    SELECT a.project_id, a.tokens, s.projects,
        least(floor(a.tokens), CASE WHEN f.found < s.enough THEN f.found ELSE $4 END)::int AS want
      FROM allowance a, (
          SELECT count(*) AS projects, CASE WHEN count(*) > 1 THEN ceil(2.0 * $4 / count(*)) ELSE 0 END AS enough
            FROM allowance) s,
        LATERAL (SELECT count(*) AS found FROM (
          SELECT FROM deliveries d WHERE d.project_id = a.project_id AND ${due} LIMIT s.enough::int) few) f
  ), levels AS (
    -- What each may have once those that want less are served.
    SELECT *, ($4 - (sum(want) OVER smaller - want)) / (projects - row_number() OVER smaller + 1.0) AS level
      FROM wanted WINDOW smaller AS (ORDER BY want, project_id)
  ), share AS (
    SELECT project_id, tokens, least(want, ceil(max(level) OVER ()))::int AS most FROM levels ORDER BY project_id
  ), taken AS MATERIALIZED (
    SELECT s.project_id, t.id FROM share s, LATERAL (
        SELECT d.id FROM deliveries d WHERE d.project_id = s.project_id AND ${due}
          ORDER BY d.due_at LIMIT greatest(0, s.most) FOR UPDATE SKIP LOCKED) t
      LIMIT $4
  ), debited AS (
    UPDATE delivery_allowances h SET tokens = a.tokens - t.count, refilled_at = now()
      FROM allowance a JOIN (SELECT project_id, count(*) FROM taken GROUP BY project_id) t USING (project_id)
      WHERE h.project_id = a.project_id
  ), claimed AS (
    UPDATE deliveries d SET status = CASE WHEN d.status = 'delivery_delayed' THEN d.status ELSE 'sending' END,
        attempt = d.attempt + 1, unfinished = d.unfinished + 1, due_at = now() + make_interval(secs => $5),
        first_attempt_at = coalesce(d.first_attempt_at, now()), updated_at = now()
      -- An array, not a join: the planner then never reads the whole table.
      WHERE d.id = ANY (ARRAY(SELECT id FROM taken))
      RETURNING ${columnsOf(claimedShape, "d")}
  )
  SELECT c.*, now() AS "claimedAt", w.* FROM (SELECT (SELECT count(*)::int FROM waiting) AS walked,
      (SELECT project_id FROM waiting ORDER BY project_id DESC LIMIT 1) AS last_walked,
      ARRAY(SELECT w.project_id FROM waiting w
        WHERE NOT EXISTS (SELECT 1 FROM delivery_allowances a WHERE a.project_id = w.project_id)) AS unknown) w
    LEFT JOIN claimed c ON true`
}
