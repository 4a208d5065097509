import { addSystemAudit } from "@/lib/access/audit/data"
import { projectToTell, tellOwners } from "@/lib/access/system-mail/data"
import type { DomainNotice, RecordsNotice } from "@/lib/access/system-mail/system-mail"
import type { CheckOutcome, WatchedDomain } from "@/lib/domains/check/check"
import { checksOf, type CheckChanges, type StoredFinding } from "@/lib/domains/check/findings"
import {
  dueNotice,
  isNews,
  namesText,
  newRecords,
  recordFaults,
  type ToldStatus,
} from "@/lib/domains/check/notice-rules"
import {
  domainShape,
  findingsOf,
  findReportToken,
  hostingOf,
  keysShape,
  knownNames,
  recordOf,
  recordsOf,
} from "@/lib/domains/data"
import {
  type DomainNames,
  domainNames,
  oldRecordsCountUntil,
  statesOf,
  type WatchedRecord,
} from "@/lib/domains/records/records"
import { type ComponentStatus, type DomainStatus, graceMs, recheckDelaySeconds } from "@/lib/domains/rules"
import { databaseTime, secondsAfter } from "@/lib/platform/database/clock-sql"
import { unscoped, unscopedTransaction } from "@/lib/platform/database/db"
import { db, type ScopedDb } from "@/lib/platform/database/scoped-db"
import { env } from "@/lib/platform/env/env"
import { type PageRequest, sliceOf } from "@/lib/platform/http/paging"
import type { Scope } from "@/lib/platform/http/scope"
import { encodeId, newId } from "@/lib/platform/ids"
import { claimRows } from "@/lib/platform/jobs/leases-sql"
import type { Region } from "@/lib/regions/regions"
import type { Prisma } from "@/prisma/generated/client"

// Reading

const watchedShape = {
  ...domainShape,
  ...{ trackingStatus: true, toldStatus: true, toldVerifiedAt: true, toldDegradedAt: true, toldFailedAt: true },
  toldNames: true,
  dkimKeys: keysShape,
} as const satisfies Prisma.DomainSelect

type WatchedRow = Prisma.DomainGetPayload<{ select: typeof watchedShape }>

/** A domain of this project with everything that a check needs. */
export async function watchedDomain(scope: Scope, id: string, now = new Date()): Promise<WatchedDomain | null> {
  const row = await db(scope).domain.findUnique({ where: { id }, select: watchedShape })
  return row && withToken(row, scope.project.organizationId, now)
}

async function withToken(row: WatchedRow, organizationId: string, now: Date): Promise<WatchedDomain | null> {
  const token = await findReportToken({ organizationId, domain: row.name })
  return token === null ? null : toWatched(row, token, now)
}

/** Region, statuses and selectors are written by this area alone. */
function toWatched(row: WatchedRow, reportToken: string, now: Date): WatchedDomain {
  const zone = hostingOf(row.hosting)?.zone
  const service = domainNames(row.region as Region, env())
  return {
    id: row.id,
    projectId: row.projectId,
    name: row.name,
    region: row.region as Region,
    mailFromDomain: row.mailFromDomain,
    trackingDomain: row.trackingDomain,
    status: row.status as DomainStatus,
    dmarcStatus: row.dmarcStatus as ComponentStatus,
    trackingStatus: row.trackingStatus as ComponentStatus,
    missingSince: row.missingSince,
    verifiedAt: row.verifiedAt,
    checkedAt: row.checkedAt,
    updatedAt: row.updatedAt,
    attempt: row.checkAttempt,
    told: {
      status: row.toldStatus as ToldStatus | null,
      at: { verified: row.toldVerifiedAt, degraded: row.toldDegradedAt, failed: row.toldFailedAt },
      names: row.toldNames,
    },
    service,
    names: knownNames(row),
    records: recordsOf(row, reportToken, service, now),
    ...(zone ? { zone } : {}),
    reportToken,
    keys: row.dkimKeys.map((key) => ({
      id: key.id,
      record: recordOf(key.selector),
      selector: key.selector,
      publicKey: key.publicKey,
      active: key.state === "active",
    })),
  }
}

/** The checks in a domain's history, newest first, each with what changed; null when there is no such domain. */
export async function listChecks(
  scope: Scope,
  domainId: string,
  request: PageRequest,
): Promise<{ data: CheckChanges[]; total: number } | null> {
  const where = { domainId }
  const [domains, total, rows] = await Promise.all([
    db(scope).domain.count({ where: { id: domainId } }),
    db(scope).domainCheck.count({ where }),
    db(scope).domainCheck.findMany({
      where,
      select: { createdAt: true, status: true, findings: true },
      orderBy: { id: "desc" },
      ...sliceOf(request),
      // One more: the last one shown is compared with it.
      take: request.size + 1,
    }),
  ])
  if (domains === 0) return null
  const stored = rows.map(({ createdAt, status, findings }) => ({
    at: createdAt,
    status,
    findings: findingsOf(findings),
  }))
  return { data: checksOf(stored, request.size), total }
}

// Checks that are due

/** Milliseconds for which a domain is claimed; a check takes at most five seconds. */
const leaseMs = 60_000

/** Those of a deleted project stay due, and are checked once it is restored. */
const ofLiveProjects =
  "NOT EXISTS (SELECT 1 FROM projects p WHERE p.id = domains.project_id AND p.deleted_at IS NOT NULL)"

/** Claims up to `limit` domains whose check is due, of all projects; they become due again when the lease ends. */
export async function claimDueDomains(limit: number, now = new Date()): Promise<WatchedDomain[]> {
  const due = await claimDueIds(limit)
  if (due.length === 0) return []
  const rows = await unscoped().domain.findMany({
    where: { id: { in: due } },
    select: { ...watchedShape, project: { select: { organizationId: true } } },
  })
  const watched = await Promise.all(rows.map((row) => withToken(row, row.project.organizationId, now)))
  return watched.flatMap((domain) => domain ?? [])
}

/** Claims up to `limit` domains whose check is due, of all projects. A part of the claim's statement, which is raw for `SKIP LOCKED`. */
async function claimDueIds(limit: number): Promise<string[]> {
  const due = await claimRows<{ id: string }>("domains", { limit, leaseMs, where: ofLiveProjects, returning: "id" })
  return due.map(({ id }) => id)
}

/**
 * Makes the domains due whose records were compared with other names of the installation than its present ones, by region; those that
 * are never checked stay so.
 */
export async function restartForNames(present: ({ region: Region } & DomainNames)[]): Promise<number> {
  const now = await databaseTime()
  const { count } = await unscoped().domain.updateMany({
    where: {
      dueAt: { not: null },
      OR: present.map(({ region, serviceDomain, reportDomain, mx, spf }) => ({
        region,
        OR: [
          { checkedServiceDomain: { not: serviceDomain } },
          { checkedReportDomain: { not: reportDomain } },
          { checkedMailFromMx: { not: mx } },
          { checkedMailFromSpf: { not: spf } },
        ],
      })),
    },
    data: { checkAttempt: 0, dueAt: now },
  })
  return count
}

/**
 * The columns that start the schedule of checks anew. `updatedAt` moves in any case: a check that began before sees by it that
 * the domain has changed.
 */
export async function restartedChecks(domain: { updatedAt: Date }, tx: ScopedDb) {
  const now = await databaseTime(tx)
  const updatedAt = new Date(Math.max(now.getTime(), domain.updatedAt.getTime() + 1))
  return { checkAttempt: 0, dueAt: secondsAfter(now, recheckDelaySeconds(0)), updatedAt }
}

// What a check found

/**
 * Saves the outcome of a check, and tells the owners what they need to know of it; false when the domain was checked or changed
 * meanwhile, which then counts.
 */
export async function saveCheck(domain: WatchedDomain, outcome: CheckOutcome): Promise<boolean> {
  return unscopedTransaction(async (above) => {
    const tx = db({ project: { id: domain.projectId } }, above)
    if (!(await storeOutcome(domain, outcome, tx))) return false
    for (const key of domain.keys) {
      const status = outcome.records.find((record) => record.key === key.record)?.status ?? "pending"
      await tx.dkimKey.updateMany({ where: { id: key.id }, data: { status } })
    }
    if (outcome.keepInHistory) await addToHistory(domain.id, outcome, tx)
    await tellOfCheck(domain, outcome, above)
    await tellOfNames(domain, outcome, above)
    return true
  })
}

/** Stores what a check found; false when the domain was checked or changed since it was read. */
async function storeOutcome(domain: WatchedDomain, outcome: CheckOutcome, tx: ScopedDb): Promise<boolean> {
  const now = await databaseTime(tx)
  const { count } = await tx.domain.updateMany({
    where: { id: domain.id, checkedAt: domain.checkedAt, updatedAt: domain.updatedAt },
    data: {
      status: outcome.status,
      missingSince: outcome.missingSince,
      verifiedAt: outcome.verifiedAt,
      dkimStatus: outcome.dkimStatus,
      spfStatus: outcome.spfStatus,
      mailFromStatus: outcome.mailFromStatus,
      dmarcStatus: outcome.dmarcStatus,
      trackingStatus: outcome.trackingStatus,
      bimiStatus: outcome.bimiStatus,
      records: statesOf(outcome.records),
      checkedServiceDomain: domain.service.serviceDomain,
      checkedReportDomain: domain.service.reportDomain,
      checkedMailFromMx: domain.service.mx,
      checkedMailFromSpf: domain.service.spf,
      verifiedServiceDomain: outcome.names.verified?.serviceDomain ?? null,
      verifiedReportDomain: outcome.names.verified?.reportDomain ?? null,
      verifiedMailFromMx: outcome.names.verified?.mx ?? null,
      verifiedMailFromSpf: outcome.names.verified?.spf ?? null,
      namesChangedAt: outcome.names.changedAt,
      ...(outcome.hosting && { hosting: outcome.hosting }),
      checkAttempt: outcome.attempt,
      checkedAt: outcome.checkedAt,
      dueAt: secondsAfter(now, outcome.nextCheckSeconds),
      ...(outcome.changed && { updatedAt: now }),
    },
  })
  return count > 0
}

/** Checks in a domain's history. */
const checksStored = 200

async function addToHistory(domainId: string, { status, records }: CheckOutcome, tx: ScopedDb) {
  await tx.domainCheck.createMany({ data: { id: newId(), domainId, status, findings: findingsIn(records) } })
  const tooOld = await tx.domainCheck.findFirst({
    where: { domainId },
    orderBy: { id: "desc" },
    skip: checksStored,
    select: { id: true },
  })
  if (tooOld) await tx.domainCheck.deleteMany({ where: { domainId, id: { lte: tooOld.id } } })
}

function findingsIn(records: WatchedRecord[]) {
  return records.map(({ key, name, status, found, likelyCause }) => ({
    key,
    name,
    status,
    found,
    ...(likelyCause ? { likelyCause } : {}),
  })) satisfies StoredFinding[]
}

// What the owners are told

/**
 * Tells the owners what a check has found out, in the transaction that saves it: at most one notice of each kind in 24 hours.
 * Nobody is told of a suspended project; its owners are told after the first check that follows.
 */
async function tellOfCheck(domain: WatchedDomain, outcome: CheckOutcome, tx: Prisma.TransactionClient): Promise<void> {
  if (!isNews(outcome, domain.told)) return
  const now = await databaseTime(tx)
  const status = dueNotice(outcome, domain.told, now)
  const project = status && (await projectToTell(domain.projectId, tx))
  if (!status || !project) return
  const scoped = db({ project }, tx)
  await scoped.domain.updateMany({ where: { id: domain.id }, data: { toldStatus: status, ...toldAt(status, now) } })
  const notice = noticeOf(domain, outcome, status)
  const target = encodeId("dom", domain.id)
  const { since, recordFaults: faults } = notice
  const changes = status === "verified" ? {} : { missingSince: since, faults }
  const at = { organizationId: project.organizationId, projectId: project.id }
  await addSystemAudit(at, { action: `domain.${status}`, target, name: domain.name, changes }, scoped)
  await tellOwners(project, { notice, page: `domains/${target}` }, tx)
}

/** Tells the owners, once for each change of the installation's names, which records of a domain that sends are new. */
async function tellOfNames(domain: WatchedDomain, outcome: CheckOutcome, tx: Prisma.TransactionClient): Promise<void> {
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
  const changes = { records: notice.records }
  await addSystemAudit(at, { action: "domain.records_changed", target, name: domain.name, changes }, scoped)
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
    recordFaults: recordFaults(records, active, checkedAt),
    // A host of the release before shows these alone.
    faults: [],
  } satisfies DomainNotice
}

function toldAt(status: ToldStatus, now: Date) {
  if (status === "verified") return { toldVerifiedAt: now }
  return status === "degraded" ? { toldDegradedAt: now } : { toldFailedAt: now }
}
