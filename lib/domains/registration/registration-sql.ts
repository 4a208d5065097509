import type { DomainPlan } from "@/lib/domains/registration/registration-store"
import type { Scope } from "@/lib/platform/http/scope"
import type { ScopedDb } from "@/lib/platform/database/scoped-types"

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
