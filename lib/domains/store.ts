import { unscoped } from "@/lib/platform/database/db"
import { env } from "@/lib/platform/env/env"
import { offset, type PageRequest } from "@/lib/platform/http/paging"
import { present } from "@/lib/platform/schema"
import type { Scope } from "@/lib/platform/http/scope"
import { db } from "@/lib/platform/database/scoped-db"
import type { Region } from "@/lib/platform/env/settings"
import { dnsProviderOf } from "@/lib/domains/diagnosis/dns-providers"
import type { Hosting } from "@/lib/domains/diagnosis/hosting"
import { checksOf, type StoredFinding } from "@/lib/domains/check/history"
import { registrableDomain } from "@/lib/addresses/registrable"
import { dueValue } from "@/lib/domains/rotation/rotation-rules"
import type { WatchedRecord } from "@/lib/domains/rules"
import type { Domain, DomainListItem } from "@/lib/domains/schema"
import { verificationRecords } from "@/lib/domains/records/verification-records"

/** Checks in a domain's response. */
const checksShown = 10

const shape = {
  id: true,
  projectId: true,
  name: true,
  region: true,
  mailFromDomain: true,
  status: true,
  dkimStatus: true,
  spfStatus: true,
  mailFromStatus: true,
  dmarcStatus: true,
  bimiStatus: true,
  bimiLogoUrl: true,
  records: true,
  verifiedAt: true,
  checkedAt: true,
  dueAt: true,
  createdAt: true,
  updatedAt: true,
  hosting: true,
} as const

export async function listDomains(
  scope: Scope,
  request: PageRequest,
): Promise<{ data: DomainListItem[]; total: number }> {
  const select = {
    id: true,
    name: true,
    region: true,
    status: true,
    dkimStatus: true,
    trackingStatus: true,
    bimiStatus: true,
    mailFromStatus: true,
    dmarcStatus: true,
    updatedAt: true,
  } as const
  const [rows, total] = await Promise.all([
    db(scope).domain.findMany({ select, orderBy: { id: "desc" }, skip: offset(request), take: request.size }),
    db(scope).domain.count(),
  ])
  const data = rows.map((row) => ({
    id: row.id,
    domain: row.name,
    region: row.region,
    status: row.status,
    dkimStatus: row.dkimStatus,
    trackingStatus: row.trackingStatus,
    bimiStatus: row.bimiStatus,
    updatedAt: row.updatedAt,
    mailFromStatus: row.mailFromStatus,
    dmarcStatus: row.dmarcStatus,
  }))
  return { data, total }
}

export async function findDomain(scope: Scope, id: string): Promise<Domain | null> {
  const row = await db(scope).domain.findUnique({
    where: { id },
    select: { ...shape, checks: { orderBy: { id: "desc" }, take: checksShown + 1 } },
  })
  if (!row) return null
  const kept = row.checks.map((check) => ({ ...check, at: check.createdAt, findings: findingsOf(check.findings) }))
  return toDomain(row, checksOf(kept, checksShown))
}

/** The domain's name and region, and the records to publish. */
export async function publishedRecords(
  scope: Scope,
  id: string,
): Promise<{ domain: string; region: Region; records: WatchedRecord[] } | null> {
  const row = await db(scope).domain.findUnique({
    where: { id },
    select: { name: true, region: true, records: true },
  })
  return row && { domain: row.name, region: row.region as Region, records: recordsOf(row.records) }
}

/**
 * What the sandbox's name server publishes, like an owner who replaces no key too early: registrations in these regions
 * of a domain and of the names under it, and what mail of deleted ones still needs at names that nothing else uses.
 */
export async function registrationsUnder(
  domain: string,
  regions: string[],
  now: Date,
): Promise<{ registeredAt: Date; records: WatchedRecord[] }[]> {
  const under = (name: string) => [name, { endsWith: `.${name}` }]
  const [rows, retained] = await Promise.all([
    unscoped().domain.findMany({
      where: { region: { in: regions }, OR: under(domain).map((name) => ({ name })) },
      select: { createdAt: true, records: true },
      take: 200,
      orderBy: { id: "desc" },
    }),
    unscoped().retainedSigner.findMany({
      where: { region: { in: regions }, OR: under(domain).map((name) => ({ domain: name })) },
      select: { records: true },
      take: 200,
      orderBy: { domainId: "desc" },
    }),
  ])
  const registered = rows.map((row) => publishedAt(row.createdAt, row.records, now))
  const taken = new Set(registered.flatMap(({ records }) => records.map(({ name }) => name)))
  const kept = retained
    .map((row) => publishedAt(new Date(0), row.records, now))
    .map(({ records, ...rest }) => ({ ...rest, records: records.filter(({ name }) => !taken.has(name)) }))
  return [...registered, ...kept]
}

function publishedAt(registeredAt: Date, records: unknown, now: Date) {
  return { registeredAt, records: recordsOf(records).map((record) => ({ ...record, value: dueValue(record, now) })) }
}

/** The records column is written by this area alone, always as a list of watched records. */
function recordsOf(json: unknown): WatchedRecord[] {
  return json as WatchedRecord[]
}

function hostingOf(json: unknown): Hosting | null {
  return json as Hosting | null
}

/** So are the findings of a check. */
function findingsOf(json: unknown): StoredFinding[] {
  return json as StoredFinding[]
}

export type DomainRow = {
  id: string
  projectId: string
  name: string
  region: string
  mailFromDomain: string
  status: string
  dkimStatus: string
  spfStatus: string
  mailFromStatus: string
  dmarcStatus: string
  bimiStatus: string
  bimiLogoUrl: string | null
  records: unknown
  verifiedAt: Date | null
  checkedAt: Date | null
  dueAt: Date | null
  createdAt: Date
  updatedAt: Date
  hosting: unknown
}

/** A row of the table as the API shows it. */
export function toDomain(row: DomainRow, checks: Domain["checks"] = []): Domain {
  const hosting = hostingOf(row.hosting)
  return {
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
    bimiStatus: row.bimiStatus,
    bimiLogoUrl: present(row.bimiLogoUrl),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    verifiedAt: present(row.verifiedAt),
    verificationRecords: verificationRecords(recordsOf(row.records)),
    transport: env().regions[row.region as Region]?.transport,
    checkedAt: present(row.checkedAt),
    nextCheckAt: present(row.dueAt),
    zone: hosting?.zone ?? registrableDomain(row.name) ?? row.name,
    nameServers: hosting?.nameServers,
    provider: present(hosting && dnsProviderOf(hosting)),
    checks,
  }
}
