import { addOrganizationAudit } from "@/lib/access/audit-store"
import { tellOwners } from "@/lib/access/system-mail/notices-store"
import { unscopedTransaction } from "@/lib/platform/database/db"
import { encodeId } from "@/lib/platform/ids"
import type { QuotaCrossing } from "@/lib/projects/quota-notice-sql"

/** Tells the owners once: the row of the notice decides between workers that have read the same crossing. */
export async function tellOfQuota({
  organizationId,
  projectId,
  project,
  day,
  resetsAt,
  ...crossing
}: QuotaCrossing): Promise<void> {
  const { organization, used, daily, ceiling } = crossing
  const percent = crossing.percent === 100 ? 100 : 80
  await unscopedTransaction(async (tx) => {
    const { count } = await tx.quotaNotice.createMany({ data: { organizationId, day, percent }, skipDuplicates: true })
    if (!count) return
    const action = percent === 100 ? "organization.quota_used_up" : "organization.quota_nearly_used"
    const changes = { day: day.toISOString().slice(0, 10), used, dailySends: daily }
    await addOrganizationAudit(organizationId, { action, target: encodeId("org", organizationId), changes }, tx)
    const counts = { organization, percent, used, daily, ceiling } as const
    const notice = { kind: "quota-used", ...counts, resetsAt: resetsAt.toISOString() } as const
    await tellOwners({ id: projectId, organizationId, name: project }, { notice, page: "settings" }, tx)
  })
}
