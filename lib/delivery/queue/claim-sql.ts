import { claimedShape, claimStatement, type Which } from "@/lib/delivery/queue/claim-statement-sql"
import { simulatorDomain, simulatorRoute } from "@/lib/delivery/transports/simulator"
import { pool } from "@/lib/platform/database/db"
import { db } from "@/lib/platform/database/scoped-db"
import { columnsOf } from "@/lib/platform/database/shape"
import { extendLeases } from "@/lib/platform/jobs/leases-sql"
import type { Prisma } from "@/prisma/generated/client"
import type { Region } from "@/lib/regions/regions"

// On `pg`, because the delivery loop runs these for every message or group of all projects (lib/README.md, "Data access").

/**
 * A delivery that this worker holds until its lease ends. `attempt` is the fencing token: a worker with an older number has lost
 * the delivery. `dataAttempt` is set only with the policy `hold`.
 */
export type Claimed = Omit<Prisma.DeliveryGetPayload<{ select: typeof claimedShape }>, "status"> & {
  status: "sending" | "delivery_delayed"
  claimedAt: Date
}

export type ClaimOptions = { region: Region; limit: number; leaseMs: number }

/** Projects visited in one claim; the next claim continues after them. */
const projectsMax = 200
const beforeAll = "00000000-0000-0000-0000-000000000000"

/** While a relay is unreachable, expired deliveries are looked for this often. */
const expiryEveryMs = 60_000

const statements: Record<Which, string> = {
  everything: claimStatement("everything"),
  simulated: claimStatement("simulated"),
  expired: claimStatement("expired"),
  relayed: claimStatement("relayed"),
}

/**
 * Claims deliveries of one region, rotating over its projects: each gets an equal share of `limit`, no more than its
 * sending allowance. Nothing is claimed for a route whose relay is unreachable, except expired deliveries. `onDown`
 * receives those routes and may add some. Times are the database's.
 */
export function createClaim(
  onDown: (routes: readonly string[]) => readonly string[] = (routes) => routes,
): (options: ClaimOptions) => Promise<Claimed[]> {
  let behind = beforeAll
  let idle = false
  let expiryAt = -Infinity

  return async (options) => {
    // Nearly every region is idle nearly always: one read of an index costs a tenth of a claim.
    const { due, down } = await stateOf(options.region, idle)
    const closed = onDown(down)
    if (!due) return []
    for (const which of kindsOf(closed, options.region)) {
      const claimed = await claimRound(which, options)
      if (claimed.length > 0) return claimed
    }
    return []
  }

  function kindsOf(down: readonly string[], region: Region): Which[] {
    const simulatorDown = down.includes(simulatorRoute)
    if (!down.includes(region)) return [simulatorDown ? "relayed" : "everything"]
    const kinds: Which[] = simulatorDown ? [] : ["simulated"]
    if (performance.now() - expiryAt < expiryEveryMs) return kinds
    return [...kinds, "expired"]
  }

  async function claimRound(which: Which, options: ClaimOptions): Promise<Claimed[]> {
    const from = behind
    const first = await claimBehind(which, from, options)
    let claimed = first.claimed
    behind = first.next
    if (claimed.length < options.limit && from !== beforeAll && behind === beforeAll) {
      const again = await claimBehind(which, beforeAll, { ...options, limit: options.limit - claimed.length })
      behind = again.next
      claimed = [...claimed, ...again.claimed]
    }
    idle = claimed.length === 0
    if (which === "expired" && idle) expiryAt = performance.now()
    return claimed
  }
}

/**
 * Whether anything of the region is due in all projects (read only if `idle`, else taken for granted), and which routes are
 * down.
 */
async function stateOf(region: Region, idle: boolean): Promise<{ due: boolean; down: string[] }> {
  const { rows } = await pool().query<{ due: boolean; down: string[] }>({
    name: "delivery.due",
    text: `SELECT NOT $2 OR EXISTS (
        SELECT 1 FROM (SELECT 1 FROM deliveries WHERE region = $1 AND due_at <= now() ORDER BY due_at LIMIT 1) d) AS due,
      ARRAY(SELECT route FROM region_outages WHERE route IN ($1, $3)) AS down`,
    values: [region, idle, simulatorRoute],
  })
  return rows[0] ?? { due: true, down: [] }
}

/** Claims over all projects; `next` is where the next claim continues: after the last one served or visited, or from the start. */
async function claimBehind(which: Which, behind: string, options: ClaimOptions) {
  const { region, limit, leaseMs } = options
  const addresses = which === "simulated" || which === "relayed" ? [`%@${simulatorDomain()}`] : []
  const { rows } = await pool().query<Row | (Walked & { id: null })>({
    name: `delivery.claim_${which}`,
    text: statements[which],
    values: [region, behind, projectsMax, limit, leaseMs / 1000, ...addresses],
  })
  const walked = rows[0]
  if (walked && walked.unknown.length > 0) {
    await makeAllowances(walked.unknown)
    if (walked.id === null) return claimBehind(which, behind, options)
  }
  const claimed = rows.flatMap((row) => (row.id === null ? [] : [toClaimed(row)]))
  const lastServed = claimed.reduce((last, { projectId }) => (projectId > last ? projectId : last), beforeAll)
  const lastWalked = walked && walked.walked === projectsMax ? (walked.last_walked ?? beforeAll) : beforeAll
  return { claimed, next: claimed.length === limit ? lastServed : lastWalked }
}

/** A project gets its token bucket, a full one, when its first email is due. */
async function makeAllowances(projectIds: readonly string[]): Promise<void> {
  for (const id of projectIds)
    await db({ project: { id } }).deliveryAllowance.createMany({ data: {}, skipDuplicates: true })
}

type Walked = { walked: number; last_walked: string | null; unknown: string[] }

type Row = Walked & Claimed

function toClaimed({ walked: _, last_walked: _last, unknown: _unknown, ...claimed }: Row): Claimed {
  return claimed
}

/**
 * Claims one due delivery of a region for a probe: of a domain that was not refused yet if there is one, from the oldest and
 * the newest that wait, so that no single recipient decides about the relay.
 */
export async function claimForProbe(
  region: Region,
  leaseMs: number,
  refusedDomains: readonly string[],
): Promise<Claimed[]> {
  const waiting = (order: "ASC" | "DESC") => `(SELECT d.id, d.project_id, d.canonical FROM deliveries d
    WHERE d.region = $1 AND d.due_at <= now() ORDER BY d.due_at ${order} LIMIT 100)`
  const { rows } = await pool().query<Claimed>({
    name: "delivery.claim_probe",
    text: `WITH waiting AS MATERIALIZED (${waiting("ASC")} UNION ${waiting("DESC")}), chosen AS (
        SELECT d.id FROM waiting w JOIN deliveries d ON d.id = w.id AND d.due_at <= now()
          JOIN projects p ON p.id = w.project_id AND p.suspended_at IS NULL AND p.deleted_at IS NULL
          WHERE w.canonical NOT LIKE $4
          ORDER BY split_part(w.canonical, '@', 2) = ANY ($3), random() LIMIT 1 FOR UPDATE OF d SKIP LOCKED
      )
      UPDATE deliveries d SET status = CASE WHEN d.status = 'delivery_delayed' THEN d.status ELSE 'sending' END,
          attempt = d.attempt + 1, unfinished = d.unfinished + 1, due_at = now() + make_interval(secs => $2),
          first_attempt_at = coalesce(d.first_attempt_at, now()), updated_at = now()
        WHERE d.id = ANY (ARRAY(SELECT id FROM chosen))
        RETURNING ${columnsOf(claimedShape, "d")}, now() AS "claimedAt"`,
    values: [region, leaseMs / 1_000, refusedDomains, `%@${simulatorDomain()}`],
  })
  return rows
}

/** Extends leases; answers the claims that are still held. A claim that has just ended with a wait keeps its wait. */
export function holdClaims(claimed: readonly Claimed[], leaseMs: number): Promise<Claimed[]> {
  const held = "t.status IN ('sending', 'delivery_delayed') AND t.unfinished > 0"
  return extendLeases("deliveries", claimed, { leaseMs, held })
}

/**
 * Undoes claims, of all projects: the deliveries become due again one after the other, so many seconds apart. The fencing token is
 * incremented, so that doing it twice changes nothing.
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
