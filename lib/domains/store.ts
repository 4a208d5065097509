import { unscoped } from "@/lib/platform/database/db"
import { db } from "@/lib/platform/database/scoped-db"
import { shown } from "@/lib/platform/database/shape"
import { env } from "@/lib/platform/env/env"
import { counted, sliceOf, type PageRequest } from "@/lib/platform/http/paging"
import type { Scope } from "@/lib/platform/http/scope"
import { present } from "@/lib/platform/schema"
import { registrableDomain } from "@/lib/addresses/registrable"
import { checksOf, type DomainCheck } from "@/lib/domains/check/history"
import {
  domainShape,
  findingsOf,
  hostingOf,
  keysShape,
  knownNames,
  recordsOf,
  recordsShape,
  retainedRecords,
  type DomainRow,
} from "@/lib/domains/columns"
import { dnsProviderOf } from "@/lib/domains/diagnosis/dns-providers"
import { verificationRecords } from "@/lib/domains/records/verification-records"
import { dueValue } from "@/lib/domains/rotation/rotation-rules"
import type { ExpectedRecord } from "@/lib/domains/records/records"
import { oldRecordsCountUntil, type WatchedRecord } from "@/lib/domains/records/watched"
import { findReportToken, reportTokens } from "@/lib/domains/report-token-store"
import { failsAt } from "@/lib/domains/rules"
import type { Domain, DomainListItem } from "@/lib/domains/schema"
import type { Prisma } from "@/prisma/generated/client"
import type { Region } from "@/lib/regions/regions"
import { regionSettings } from "@/lib/regions/settings"

/** Checks in a domain's response. */
const checksShown = 10

const listedShape = {
  ...domainShape,
  projectId: false,
  mailFromDomain: false,
  trackingDomain: false,
  spfStatus: false,
  bimiLogoUrl: false,
  records: false,
  verifiedAt: false,
  missingSince: false,
  checkedAt: false,
  checkAttempt: false,
  dueAt: false,
  createdAt: false,
  hosting: false,
  bimiVmcUrl: false,
  checkedServiceDomain: false,
  checkedReportDomain: false,
  verifiedServiceDomain: false,
  verifiedReportDomain: false,
  namesChangedAt: false,
} as const satisfies Record<Prisma.DomainScalarFieldEnum, boolean>

export async function listDomains(
  scope: Scope,
  request: PageRequest,
): Promise<{ data: DomainListItem[]; total: number }> {
  const { rows, total } = await counted(
    request,
    db(scope).domain.findMany({ select: listedShape, orderBy: { id: "desc" }, ...sliceOf(request) }),
    () => db(scope).domain.count(),
  )
  return {
    data: rows.map(({ name, ...row }) =>
      shown<DomainListItem>()({
        ...row,
        domain: name,
        transport: regionSettings().profiles[row.region as Region]?.transport,
      }),
    ),
    total,
  }
}

export async function findDomain(scope: Scope, id: string, now = new Date()): Promise<Domain | null> {
  const row = await db(scope).domain.findUnique({
    where: { id },
    select: { ...domainShape, dkimKeys: keysShape, checks: { orderBy: { id: "desc" }, take: checksShown + 1 } },
  })
  if (!row) return null
  const { checks, ...domain } = row
  const stored = checks.map((check) => ({ ...check, at: check.createdAt, findings: findingsOf(check.findings) }))
  const token = await findReportToken({ organizationId: scope.organization.id, domain: row.name })
  return toDomain(domain, token, checksOf(stored, checksShown), now)
}

/** The domain's name and region, when it was verified, and the records to publish. */
export async function publishedRecords(
  scope: Scope,
  id: string,
  now: Date,
): Promise<{ domain: string; region: Region; verifiedAt: Date | null; records: WatchedRecord[] } | null> {
  const row = await db(scope).domain.findUnique({ where: { id }, select: { ...recordsShape, verifiedAt: true } })
  if (!row) return null
  const token = await findReportToken({ organizationId: scope.organization.id, domain: row.name })
  const records = recordsOf(row, token, env(), now)
  return { domain: row.name, region: row.region as Region, verifiedAt: row.verifiedAt, records }
}

/**
 * What the sandbox's name server publishes, like an owner who replaces no key too early: registrations in these regions
 * of a domain and of the names under it, and what mail of deleted ones still needs at names that nothing else uses.
 */
export async function registrationsUnder(
  domain: string,
  regions: string[],
  now: Date,
): Promise<{ registeredAt: Date; records: ExpectedRecord[] }[]> {
  const service = env()
  const under = (name: string) => [name, { endsWith: `.${name}` }]
  const [rows, retained] = await Promise.all([
    unscoped().domain.findMany({
      where: { region: { in: regions }, OR: under(domain).map((name) => ({ name })) },
      select: { ...recordsShape, createdAt: true, project: { select: { organizationId: true } } },
      take: 200,
      orderBy: { id: "desc" },
    }),
    unscoped().retainedSigner.findMany({
      where: { region: { in: regions }, OR: under(domain).map((name) => ({ domain: name })) },
      select: { domain: true, region: true, mailFromDomain: true, records: true },
      take: 200,
      orderBy: { domainId: "desc" },
    }),
  ])
  const tokens = await reportTokens(rows.map(({ name }) => name))
  const registered = rows.map((row) => {
    const token = tokens.get(`${row.project.organizationId} ${row.name}`) ?? null
    return publishedAt(row.createdAt, recordsOf(row, token, service, now), now)
  })
  const taken = new Set(registered.flatMap(({ records }) => records.map(({ name }) => name)))
  const stillNeeded = retained
    .map((row) => publishedAt(new Date(0), retainedRecords(row, service), now))
    .map(({ records, ...rest }) => ({ ...rest, records: records.filter(({ name }) => !taken.has(name)) }))
  return [...registered, ...stillNeeded]
}

/** Nothing is published where nothing can be recommended. */
function publishedAt(registeredAt: Date, records: (ExpectedRecord & Pick<WatchedRecord, "retired">)[], now: Date) {
  const due = records.map((record) => ({ ...record, value: dueValue(record, now) }))
  return { registeredAt, records: due.filter(({ value }) => value !== "") }
}

/** A row of the table as the API shows it. */
function toDomain(
  row: DomainRow & Prisma.DomainGetPayload<{ select: typeof recordsShape }>,
  reportToken: string | null,
  checks: DomainCheck[],
  now: Date,
): Domain {
  const hosting = hostingOf(row.hosting)
  const records = recordsOf(row, reportToken, env(), now)
  const until = records.some(({ oldFound }) => oldFound) ? oldRecordsCountUntil(knownNames(row), env(), now) : null
  return shown<Domain>()({
    id: row.id,
    projectId: row.projectId,
    domain: row.name,
    region: row.region,
    status: row.status,
    dkimStatus: row.dkimStatus,
    spfStatus: row.spfStatus,
    dmarcStatus: row.dmarcStatus,
    mailFromDomain: row.mailFromDomain,
    mailFromStatus: row.mailFromStatus,
    trackingStatus: row.trackingStatus,
    bimiStatus: row.bimiStatus,
    bimiLogoUrl: present(row.bimiLogoUrl),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    verifiedAt: present(row.verifiedAt),
    stopsSendingAt: present(failsAt(row)),
    oldRecordsCountUntil: present(until),
    verificationRecords: verificationRecords(records),
    transport: regionSettings().profiles[row.region as Region]?.transport,
    checkedAt: present(row.checkedAt),
    nextCheckAt: present(row.dueAt),
    zone: hosting?.zone ?? registrableDomain(row.name) ?? row.name,
    nameServers: hosting?.nameServers,
    provider: present(hosting && dnsProviderOf(hosting)),
    checks,
  })
}
