import { addSystemAudit } from "@/lib/access/audit-store"
import type { DomainNotice } from "@/lib/access/system-mail/notices"
import { projectToTell, tellOwners } from "@/lib/access/system-mail/notices-store"
import type { CheckOutcome, WatchedDomain } from "@/lib/domains/check/check"
import { dueNotice, isNews, recordFaults, type ToldStatus } from "@/lib/domains/check/notice-rules"
import { graceMs } from "@/lib/domains/rules"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { db } from "@/lib/platform/database/scoped-db"
import { encodeId } from "@/lib/platform/ids"
import type { Prisma } from "@/prisma/generated/client"

/**
 * Tells the owners what a check has found out, in the transaction that saves it: at most one notice of each kind in 24 hours.
 * Nobody is told of a suspended project; its owners are told after the first check that follows.
 */
export async function tellOfCheck(
  domain: WatchedDomain,
  outcome: CheckOutcome,
  tx: Prisma.TransactionClient,
): Promise<void> {
  if (!isNews(outcome, domain.told)) return
  const now = await databaseTime(tx)
  const status = dueNotice(outcome, domain.told, now)
  const project = status && (await projectToTell(domain.projectId, tx))
  if (!status || !project) return
  const scoped = db({ project }, tx)
  await scoped.domain.updateMany({ where: { id: domain.id }, data: { toldStatus: status, ...toldAt(status, now) } })
  const notice = noticeOf(domain, outcome, status)
  const target = encodeId("dom", domain.id)
  const { since, faults } = notice
  const changes = { domain: domain.name, ...(status === "verified" ? {} : { missingSince: since, faults }) }
  const at = { organizationId: project.organizationId, projectId: project.id }
  await addSystemAudit(at, { action: `domain.${status}`, target, changes }, scoped)
  await tellOwners(project, { notice, page: `domains/${target}` }, tx)
}

function noticeOf(domain: WatchedDomain, { missingSince, records, checkedAt }: CheckOutcome, status: ToldStatus) {
  const active = domain.keys.find((key) => key.active)?.record ?? "dkim-a"
  return {
    ...{ kind: "domain-status", domain: domain.name, status },
    ...(missingSince && {
      since: missingSince.toISOString(),
      until: new Date(missingSince.getTime() + graceMs).toISOString(),
    }),
    faults: recordFaults(records, active, checkedAt),
  } satisfies DomainNotice
}

function toldAt(status: ToldStatus, now: Date) {
  if (status === "verified") return { toldVerifiedAt: now }
  return status === "degraded" ? { toldDegradedAt: now } : { toldFailedAt: now }
}
