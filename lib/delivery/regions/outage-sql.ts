import type { DeliveryAttempt } from "@/lib/delivery/transports/attempt"
import { simulatorDomain, simulatorRoute } from "@/lib/delivery/transports/simulator"
import { pool } from "@/lib/platform/database/db"
import { firstIdAt, newId } from "@/lib/platform/ids"
import { regionNames } from "@/lib/regions/regions"

/** The error of the latest failed probe or attempt. */
export type RelayFault = { phase: DeliveryAttempt["phase"]; diagnostic: string }

/** While a relay is unreachable, a failed probe is recorded as an attempt this often. */
const attemptEverySeconds = 60

/**
 * Records a failed probe. Once a minute it adds an attempt to the email that waits longest, which increments that
 * delivery's fencing token; its retry schedule is not affected. Raw, because Prisma has no SKIP LOCKED. It serves all projects.
 */
export async function noteProbe(route: string, fault: RelayFault, attempt: DeliveryAttempt): Promise<void> {
  const simulated = route === simulatorRoute
  await pool().query({
    name: "region.note_probe",
    text: `WITH noted AS (
        UPDATE region_outages SET phase = $2, diagnostic = $3,
            noted_at = CASE WHEN noted_at <= now() - make_interval(secs => $4) THEN now() ELSE noted_at END
          WHERE route = $1 RETURNING noted_at = now() AS due
      ), oldest AS (
        SELECT d.id FROM deliveries d WHERE (SELECT due FROM noted) AND d.due_at <= now()
            AND d.region = ANY ($15) AND (d.canonical LIKE $5) = $16
          ORDER BY d.due_at LIMIT 1 FOR UPDATE SKIP LOCKED
      ), counted AS (
        UPDATE deliveries d SET attempt = attempt + 1 FROM oldest o WHERE d.id = o.id
          RETURNING d.project_id, d.email_id, d.id, d.attempt
      )
      INSERT INTO delivery_attempts (id, project_id, email_id, delivery_id, attempt, outcome, phase, code, enhanced,
          text, remote, tls, conversation, started_at, ended_at)
        SELECT $6, project_id, email_id, id, attempt, 'region_fault', $2, $7, $8, $9, $10, $11, $12, $13, $14 FROM counted`,
    values: [
      route,
      fault.phase ?? "connect",
      fault.diagnostic,
      attemptEverySeconds,
      `%@${simulatorDomain()}`,
      newId(),
      attempt.code,
      attempt.enhanced,
      attempt.text,
      attempt.remote,
      attempt.tls,
      attempt.conversation.join("\n"),
      attempt.startedAt,
      attempt.endedAt,
      simulated ? regionNames : [route],
      simulated,
    ],
  })
}

/** Whether the route accepted a mail whose attempt began since then, of all projects. Raw, because attempts have no relation to deliveries in Prisma. */
export async function isAcceptedSince(route: string, since: Date): Promise<boolean> {
  const { rows } = await pool().query<{ accepted: boolean }>({
    name: "region.accepted_since",
    text: `SELECT EXISTS (SELECT 1 FROM delivery_attempts a JOIN deliveries d ON d.id = a.delivery_id
      WHERE a.id >= $2 AND a.outcome = 'accepted' AND a.started_at >= $3 AND d.region = $1 AND d.canonical NOT LIKE $4
      ) AS accepted`,
    values: [route, firstIdAt(since), since, `%@${simulatorDomain()}`],
  })
  return rows[0]?.accepted ?? false
}

/** A relay that cannot be reached, or that refuses everybody with a sentence; `route` is a region or `simulator`. */
export type RegionOutage = {
  route: string
  since: Date
  phase: string
  diagnostic: string
  probedAt: Date | null
  refusing: string | null
}

/**
 * Outages are above projects. On `pg`, because `GET /health` answers within a second, in a process that has not loaded
 * Prisma's engine yet, too.
 */
export async function findOutages(): Promise<RegionOutage[]> {
  const { rows } = await pool().query<RegionOutage>(
    'SELECT route, since, phase, diagnostic, probed_at AS "probedAt", refusing FROM region_outages ORDER BY route',
  )
  return rows
}

/** Due emails of these regions, of one project or of all projects. Raw, because Prisma does not count distinct values. */
export async function countWaiting(regions: readonly string[], projectId?: string): Promise<Map<string, number>> {
  const { rows } = await pool().query<{ region: string; count: number }>(
    `SELECT region, count(DISTINCT email_id)::int AS count FROM deliveries
      WHERE region = ANY ($1) AND due_at <= now() AND ($2::uuid IS NULL OR project_id = $2) GROUP BY region`,
    [regions, projectId ?? null],
  )
  return new Map(rows.map(({ region, count }) => [region, count]))
}
