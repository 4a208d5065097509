import { addOrganizationAudit } from "@/lib/access/audit-store"
import { tellOwners } from "@/lib/access/system-mail/notices-store"
import { unscopedTransaction } from "@/lib/platform/database/db"
import { encodeId } from "@/lib/platform/ids"
import { log } from "@/lib/platform/log"
import { quotaCrossings, type QuotaCrossing } from "@/lib/projects/quota-notice-sql"

const batchMax = 100

/**
 * Tells owners who have used 80 percent of today's quota or all of it, once each. A pass of the worker rather than a part of a
 * send, so that sends cost nothing more.
 * @returns whether there may be more
 */
export async function tellOfQuotas(): Promise<boolean> {
  const crossings = await quotaCrossings(batchMax)
  let told = 0
  for (const crossing of crossings) {
    try {
      await tell(crossing)
      told += 1
    } catch (error) {
      log.error(
        { err: error, organizationId: crossing.organizationId },
        "a notice about a quota failed; it comes later",
      )
    }
  }
  return crossings.length === batchMax && told > 0
}

/** The row of the notice decides between workers that have read the same crossing. */
async function tell({ organizationId, projectId, project, day, resetsAt, ...crossing }: QuotaCrossing): Promise<void> {
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
