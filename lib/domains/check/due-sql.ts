import { claimRows } from "@/lib/platform/jobs/leases-sql"

/** Milliseconds for which a domain is claimed; a check takes at most five seconds. */
const leaseMs = 60_000

/** Those of a deleted project stay due, and are checked once it is restored. */
const ofLiveProjects =
  "NOT EXISTS (SELECT 1 FROM projects p WHERE p.id = domains.project_id AND p.deleted_at IS NOT NULL)"

/** Claims up to `limit` domains whose check is due, of all projects. A part of the claim's statement, which is raw for `SKIP LOCKED`. */
export async function claimDueIds(limit: number): Promise<string[]> {
  const due = await claimRows<{ id: string }>("domains", { limit, leaseMs, where: ofLiveProjects, returning: "id" })
  return due.map(({ id }) => id)
}
