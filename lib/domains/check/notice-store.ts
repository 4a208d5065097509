import { addSystemAudit } from "@/lib/access/audit/data"
import type { DomainNotice, RecordsNotice } from "@/lib/access/system-mail/system-mail"
import { projectToTell, tellOwners } from "@/lib/access/system-mail/data"
import type { CheckOutcome, WatchedDomain } from "@/lib/domains/check/check"
import {
  dueNotice,
  isNews,
  namesText,
  newRecords,
  recordFaults,
  type ToldStatus,
} from "@/lib/domains/check/notice-rules"
import { oldRecordsCountUntil } from "@/lib/domains/records/watched"
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

/** Tells the owners, once for each change of the installation's names, which records of a domain that sends are new. */
export async function tellOfNames(
  domain: WatchedDomain,
  outcome: CheckOutcome,
  tx: Prisma.TransactionClient,
): Promise<void> {
  const names = namesText(domain.service)
  const records = newRecords(outcome.status, domain.names, outcome.records, domain.service)
  if (records.length === 0 || domain.told.names === names) return
  const project = await projectToTell(domain.projectId, tx)
  if (!project) return
  const scoped = db({ project }, tx)
  await scoped.domain.updateMany({ where: { id: domain.id }, data: { toldNames: names } })
  const target = encodeId("dom", domain.id)
  const until = records.some(({ oldFound }) => oldFound)
    ? oldRecordsCountUntil({ ...outcome.names, checked: domain.service }, domain.service, outcome.checkedAt)
    : null
  const notice: RecordsNotice = {
    kind: "records-changed",
    domain: domain.name,
    ...(until && { until: until.toISOString() }),
    records: records.map(({ type, name, value, priority }) =>
      [name, type, ...(priority === undefined ? [] : [String(priority)]), value].join(" "),
    ),
  }
  const at = { organizationId: project.organizationId, projectId: project.id }
  const changes = { domain: domain.name, records: notice.records }
  await addSystemAudit(at, { action: "domain.records_changed", target, changes }, scoped)
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
