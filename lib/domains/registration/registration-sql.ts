import type { DomainPlan } from "@/lib/domains/registration/registration-store"
import type { Scope } from "@/lib/platform/http/scope"
import type { ScopedDb } from "@/lib/platform/database/scoped-types"

/**
 * Locks the project's row, so that its limit of domains is exact; answers the limit, or null where the project is deleted.
 * Raw, because Prisma has no row locks.
 */
export async function lockDomainLimit(scope: Scope, tx: ScopedDb): Promise<number | null> {
  const [row] = await tx.$queryRaw<{ limit: number }[]>`
    SELECT max_domains AS "limit" FROM projects WHERE id = ${scope.project.id}::uuid FOR NO KEY UPDATE`
  return row ? row.limit : null
}

/** Raw, because its first check is due, and its records are missing since, by the database's clock. */
export async function insertDomain(scope: Scope, plan: DomainPlan, tx: ScopedDb): Promise<void> {
  const hosting = plan.hosting && JSON.stringify(plan.hosting)
  await tx.$executeRaw`
    INSERT INTO domains (id, project_id, name, region, mail_from_domain, tracking_domain, dmarc_status, records, hosting,
        missing_since, due_at)
      VALUES (${plan.id}::uuid, ${scope.project.id}::uuid, ${plan.name}, ${plan.region}, ${plan.mailFromDomain},
        ${plan.trackingDomain}, ${plan.dmarcStatus}, ${JSON.stringify(plan.records)}::jsonb, ${hosting}::jsonb,
        now(), now() + make_interval(secs => ${plan.firstCheckSeconds}::int))`
}
