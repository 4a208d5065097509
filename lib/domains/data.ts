import { registrableDomain } from "@/lib/addresses/registrable"
import { checksOf, type CheckChanges, type StoredFinding } from "@/lib/domains/check/findings"
import { dnsProviderOf, type Hosting } from "@/lib/domains/diagnosis/hosting"
import { dueValue } from "@/lib/domains/keys/dkim-keys"
import type { PublishedPolicy } from "@/lib/domains/records/dmarc-record"
import {
  type DomainNames,
  domainNames,
  type ExpectedRecord,
  type KnownNames,
  oldRecordsCountUntil,
  type RecordState,
  recordsToPublish,
  type Registration,
  type ServiceNames,
  verificationRecords,
  type WatchedRecord,
  watchedRecords,
} from "@/lib/domains/records/records"
import { type ReportedDomain, reportedOf } from "@/lib/domains/reports"
import { failsAt } from "@/lib/domains/rules"
import type { Domain, DomainListItem } from "@/lib/domains/schema"
import { unscoped } from "@/lib/platform/database/db"
import { db } from "@/lib/platform/database/scoped-db"
import { shown } from "@/lib/platform/database/shape"
import { env } from "@/lib/platform/env/env"
import { counted, type PageRequest, sliceOf } from "@/lib/platform/http/paging"
import type { Scope } from "@/lib/platform/http/scope"
import { present } from "@/lib/platform/schema"
import type { Region } from "@/lib/regions/regions"
import { regionSettings } from "@/lib/regions/settings"
import type { Prisma } from "@/prisma/generated/client"

// Columns, and what is made of them

/** Every column of a domain that a response or a check needs. */
export const domainShape = {
  id: true,
  projectId: true,
  name: true,
  region: true,
  mailFromDomain: true,
  trackingDomain: true,
  status: true,
  dkimStatus: true,
  spfStatus: true,
  mailFromStatus: true,
  dmarcStatus: true,
  trackingStatus: true,
  bimiStatus: true,
  bimiLogoUrl: true,
  bimiVmcUrl: true,
  bimiLogo: false,
  records: true,
  verifiedAt: true,
  missingSince: true,
  checkedAt: true,
  checkAttempt: true,
  dueAt: true,
  createdAt: true,
  updatedAt: true,
  hosting: true,
  toldStatus: false,
  toldVerifiedAt: false,
  toldDegradedAt: false,
  toldFailedAt: false,
  checkedServiceDomain: true,
  checkedReportDomain: true,
  checkedMailFromMx: true,
  checkedMailFromSpf: true,
  verifiedServiceDomain: true,
  verifiedReportDomain: true,
  verifiedMailFromMx: true,
  verifiedMailFromSpf: true,
  namesChangedAt: true,
  toldNames: false,
} as const satisfies Record<Prisma.DomainScalarFieldEnum, boolean>

type DomainRow = Prisma.DomainGetPayload<{ select: typeof domainShape }>

/** The keys whose public halves are to be published. */
export const keysShape = {
  where: { state: { not: "retired" } },
  select: { id: true, selector: true, publicKey: true, state: true },
} as const satisfies Prisma.Domain$dkimKeysArgs

/** What a domain's records are made of. */
export const recordsShape = {
  name: true,
  region: true,
  mailFromDomain: true,
  trackingDomain: true,
  dmarcStatus: true,
  bimiLogoUrl: true,
  bimiVmcUrl: true,
  records: true,
  checkedServiceDomain: true,
  checkedReportDomain: true,
  checkedMailFromMx: true,
  checkedMailFromSpf: true,
  verifiedServiceDomain: true,
  verifiedReportDomain: true,
  verifiedMailFromMx: true,
  verifiedMailFromSpf: true,
  namesChangedAt: true,
  dkimKeys: keysShape,
} as const satisfies Prisma.DomainSelect

type RecordsRow = Prisma.DomainGetPayload<{ select: typeof recordsShape }>

/** The records of a domain for the installation's present names. */
export function recordsOf(row: RecordsRow, reportToken: string | null, service: ServiceNames, now: Date) {
  return watchedRecords(registrationOf(row, reportToken), recordStates(row.records), knownNames(row), service, now)
}

/** Region and selectors are written by this area alone. */
export function registrationOf(row: RecordsRow, reportToken: string | null): Registration {
  return {
    domain: row.name,
    region: row.region as Region,
    mailFromDomain: row.mailFromDomain,
    trackingDomain: row.trackingDomain,
    keys: row.dkimKeys.map(({ selector, publicKey, state }) => ({
      record: recordOf(selector),
      selector,
      publicKey,
      active: state === "active",
    })),
    reportToken,
    policy: policyOf(row),
    logo: { logoUrl: row.bimiLogoUrl, vmcUrl: row.bimiVmcUrl },
  }
}

/** Our selectors end in the letter of their key. */
export function recordOf(selector: string): "dkim-a" | "dkim-b" {
  return selector.endsWith("b") ? "dkim-b" : "dkim-a"
}

export function knownNames(row: Omit<RecordsRow, "dkimKeys">): KnownNames {
  return {
    checked: namesOf({
      serviceDomain: row.checkedServiceDomain,
      reportDomain: row.checkedReportDomain,
      mx: row.checkedMailFromMx,
      spf: row.checkedMailFromSpf,
    }),
    verified: namesOf({
      serviceDomain: row.verifiedServiceDomain,
      reportDomain: row.verifiedReportDomain,
      mx: row.verifiedMailFromMx,
      spf: row.verifiedMailFromSpf,
    }),
    changedAt: row.namesChangedAt,
  }
}

/** Hosts of the release before write no MAIL FROM hosts. */
function namesOf({ serviceDomain, reportDomain, mx, spf }: Nullable<DomainNames>): DomainNames | null {
  if (serviceDomain === null || reportDomain === null || mx === null || spf === null) return null
  return { serviceDomain, reportDomain, mx, spf }
}

type Nullable<T> = { [K in keyof T]: T[K] | null }

/** Only this area writes the records column, always as a list of states. */
export function recordStates(json: Prisma.JsonValue): RecordState[] {
  return json as RecordState[]
}

/** What was published for DMARC. Earlier versions stored the record to publish with its name, and what was found there. */
function policyOf({ records, dmarcStatus }: Pick<RecordsRow, "records" | "dmarcStatus">): PublishedPolicy {
  const state = recordStates(records).find(({ key }) => key === "dmarc") as
    | (RecordState & { name?: string })
    | undefined
  if (state?.policy) return state.policy
  if (!state?.name || state.found.length === 0) return { kind: "none" }
  const kind = dmarcStatus === "verified" ? "policy" : state.found.length > 1 ? "several" : "invalid"
  return { kind, name: state.name, texts: state.found }
}

/** What is kept of a deleted domain's records. */
export type RetainedRegistration = Omit<Registration, "domain" | "region" | "mailFromDomain">

type RetainedRow = { domain: string; region: string; mailFromDomain: string; records: Prisma.JsonValue }

/** The records of a deleted domain; earlier versions stored them whole. */
function retainedRecords({ domain, region, mailFromDomain, records }: RetainedRow, service: ServiceNames) {
  if (Array.isArray(records)) return records as WatchedRecord[]
  const kept = records as unknown as RetainedRegistration
  return recordsToPublish({ domain, region: region as Region, mailFromDomain, ...kept }, service)
}

/** Only this area writes the hosting column. */
export function hostingOf(json: Prisma.JsonValue): Hosting | null {
  return json as Hosting | null
}

/** Only this area writes the findings of a check. */
export function findingsOf(json: Prisma.JsonValue): StoredFinding[] {
  return json as StoredFinding[]
}

// Domains as they are read

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
  checkedMailFromMx: false,
  checkedMailFromSpf: false,
  verifiedServiceDomain: false,
  verifiedReportDomain: false,
  verifiedMailFromMx: false,
  verifiedMailFromSpf: false,
  namesChangedAt: false,
} as const satisfies Record<Prisma.DomainScalarFieldEnum, boolean>

export async function findDomains(
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
  checks: CheckChanges[],
  now: Date,
): Domain {
  const hosting = hostingOf(row.hosting)
  const records = recordsOf(row, reportToken, env(), now)
  const names = domainNames(row.region as Region, env())
  const until = records.some(({ oldFound }) => oldFound) ? oldRecordsCountUntil(knownNames(row), names, now) : null
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

// Addresses for reports

type OfOrganization = { organizationId: string; domain: string }

/** The stable local part of the report address of an organization's domain. On first use it is `fresh`: 80 random bits. */
export async function reportToken({ organizationId, domain }: OfOrganization, fresh: string): Promise<string> {
  const { token } = await unscoped().dmarcToken.upsert({
    where: { organizationId_domain: { organizationId, domain } },
    create: { organizationId, domain, token: fresh },
    update: { domain },
    select: { token: true },
  })
  return token
}

export async function findReportToken({ organizationId, domain }: OfOrganization): Promise<string | null> {
  const row = await unscoped().dmarcToken.findUnique({
    where: { organizationId_domain: { organizationId, domain } },
    select: { token: true },
  })
  return row && row.token
}

/** Those of all organizations for these domains, by the organization's id, a space and the domain. */
async function reportTokens(domains: string[]): Promise<Map<string, string>> {
  const rows = await unscoped().dmarcToken.findMany({
    where: { domain: { in: domains } },
    select: { organizationId: true, domain: true, token: true },
  })
  return new Map(rows.map(({ organizationId, domain, token }) => [`${organizationId} ${domain}`, token]))
}

/** The domain that a report address is for, in every project of its organization; empty if nobody has such an address. */
export async function registrationsOf(token: string): Promise<(ReportedDomain & { projectId: string })[]> {
  const address = await unscoped().dmarcToken.findUnique({
    where: { token },
    select: { organizationId: true, domain: true },
  })
  if (!address) return []
  const rows = await unscoped().domain.findMany({
    where: { name: address.domain, project: { organizationId: address.organizationId } },
    select: { id: true, projectId: true, name: true, mailFromDomain: true },
    orderBy: { id: "asc" },
  })
  return rows.map(({ projectId, ...row }) => ({ ...reportedOf(row), projectId }))
}
