import { waitHoursMax, type Due } from "@/lib/delivery/scheduling/release-plan"
import { suppressedBy } from "@/lib/delivery/queue/suppressed-sql"
import { distinctIds, firstId } from "@/lib/platform/database/distinct-sql"
import { lockRows } from "@/lib/platform/database/locks-sql"
import type { InProject } from "@/lib/platform/database/scoped-db"
import type { ScopedDb } from "@/lib/platform/database/scoped-types"
import { Prisma } from "@/prisma/generated/client"

const projectsMax = 200

/** Projects with scheduled mail that is due, after a project in the order of ids; `next` is where to continue. */
export async function projectsDue(behind: string = firstId): Promise<{ ids: string[]; next: string | undefined }> {
  const ids = await distinctIds(behind, {
    ...{ name: "scheduled.projects", table: "emails", column: "project_id", where: "due_at IS NOT NULL" },
    also: `EXISTS (SELECT 1 FROM projects p WHERE p.id = walk.id AND p.suspended_at IS NULL AND p.deleted_at IS NULL)
        AND EXISTS (SELECT 1 FROM emails e WHERE e.project_id = walk.id AND e.due_at <= now())`,
    limit: projectsMax,
  })
  return { ids, next: ids.length === projectsMax ? ids.at(-1) : undefined }
}

const notSent = suppressedBy("d", "e.topic_id")

/** Locks up to `limit` due emails; one that is being cancelled at this moment is skipped. */
export function lockDue(scope: InProject, limit: number, tx: ScopedDb): Promise<Due[]> {
  const ownDue = Prisma.sql`e.project_id = ${scope.project.id}::uuid AND e.due_at <= now() AND e.status = 'scheduled'`
  return lockRows<Due>(
    { columns: dueColumns, table: "emails e", where: ownDue, order: "e.due_at", limit, skipLocked: true },
    tx,
  )
}

const dueColumns = `e.id, e.subject, e.to_headers AS "to", e.test_mode AS "testMode",
  substring(e.from_header FROM '@([^@>\\s]+)>?\\s*$') AS domain,
  e.scheduled_at < now() - make_interval(hours => ${waitHoursMax}) AS expired,
  NOT EXISTS (SELECT 1 FROM domains o WHERE o.project_id = e.project_id AND o.id = e.domain_id) AS "domainDeleted",
  EXISTS (SELECT 1 FROM deliveries d WHERE d.project_id = e.project_id AND d.email_id = e.id
    AND d.status = 'scheduled' AND ${notSent} IS NULL) AS reachable`

export type ReleasedDelivery = { id: string; emailId: string; address: string; suppressedBy: string | null }

/**
 * Queues the scheduled deliveries of these emails, or suppresses those whose recipient was suppressed meanwhile. Raw, because
 * a function of the database decides that.
 */
export function releaseDeliveries(
  scope: InProject,
  emailIds: readonly string[],
  tx: ScopedDb,
): Promise<ReleasedDelivery[]> {
  return tx.$queryRaw<ReleasedDelivery[]>`
    UPDATE deliveries o SET status = CASE WHEN r.suppressed_by IS NULL THEN 'queued' ELSE 'suppressed' END,
        suppressed_by = r.suppressed_by, due_at = CASE WHEN r.suppressed_by IS NULL THEN now() END,
        ended_at = CASE WHEN r.suppressed_by IS NOT NULL THEN now() END, updated_at = now()
      FROM (SELECT d.id, ${Prisma.raw(notSent)} AS suppressed_by
        FROM deliveries d JOIN emails e ON e.project_id = d.project_id AND e.id = d.email_id
        WHERE d.project_id = ${scope.project.id}::uuid AND d.email_id = ANY (${emailIds}::uuid[])
          AND d.status = 'scheduled') r
      WHERE o.id = r.id RETURNING o.id, o.email_id AS "emailId", o.address, o.suppressed_by AS "suppressedBy"`
}
