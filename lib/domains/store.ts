import { prisma } from "@/lib/platform/db"
import { env } from "@/lib/platform/env"
import { offset, type PageRequest } from "@/lib/platform/paging"
import { present } from "@/lib/platform/schema"
import type { Scope } from "@/lib/platform/scope"
import type { Region } from "@/lib/platform/env-settings"
import { dnsProviderOf } from "./dns-providers"
import type { Hosting } from "./hosting"
import { looksOf, type KeptFinding } from "./history"
import { registrableDomain } from "./registrable"
import { dueValue } from "./rotation-rules"
import type { WatchedRecord } from "./rules"
import type { Domain, DomainListItem } from "./schema"
import { verificationRecords } from "./verification-records"

/** Looks that a domain's answer shows. */
const looksShown = 10

const shape = {
  id: true, project_id: true, name: true, region: true, mail_from_domain: true, status: true, dkim_status: true,
  spf_status: true, mail_from_status: true, dmarc_status: true, bimi_status: true, bimi_logo_url: true, records: true,
  verified_at: true, checked_at: true, due_at: true, created_at: true, updated_at: true, hosting: true,
} as const

export async function listDomains(
  scope: Scope,
  request: PageRequest,
): Promise<{ data: DomainListItem[]; total: number }> {
  const where = { project_id: scope.project.id }
  const select = {
    id: true, name: true, region: true, status: true, dkim_status: true, tracking_status: true, bimi_status: true,
    mail_from_status: true, dmarc_status: true, updated_at: true,
  } as const
  const [rows, total] = await Promise.all([
    prisma().domains.findMany({ where, select, orderBy: { id: "desc" }, skip: offset(request), take: request.size }),
    prisma().domains.count({ where }),
  ])
  const data = rows.map((row) => ({
    id: row.id,
    domain: row.name,
    region: row.region,
    status: row.status,
    dkimStatus: row.dkim_status,
    trackingStatus: row.tracking_status,
    bimiStatus: row.bimi_status,
    updatedAt: row.updated_at,
    mailFromStatus: row.mail_from_status,
    dmarcStatus: row.dmarc_status,
  }))
  return { data, total }
}

export async function findDomain(scope: Scope, id: string): Promise<Domain | null> {
  const row = await prisma().domains.findUnique({
    where: { project_id_id: { project_id: scope.project.id, id } },
    select: { ...shape, domain_checks: { orderBy: { id: "desc" }, take: looksShown + 1 } },
  })
  if (!row) return null
  const kept = row.domain_checks.map((look) => ({ ...look, at: look.created_at, findings: keptOf(look.findings) }))
  return toDomain(row, looksOf(kept, looksShown))
}

/** The domain's name and region, and the records to publish. */
export async function publishedRecords(
  scope: Scope,
  id: string,
): Promise<{ domain: string; region: Region; records: WatchedRecord[] } | null> {
  const row = await prisma().domains.findUnique({
    where: { project_id_id: { project_id: scope.project.id, id } },
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
    prisma().domains.findMany({
      where: { region: { in: regions }, OR: under(domain).map((name) => ({ name })) },
      select: { created_at: true, records: true },
      take: 200,
      orderBy: { id: "desc" },
    }),
    prisma().retained_signers.findMany({
      where: { region: { in: regions }, OR: under(domain).map((name) => ({ domain: name })) },
      select: { records: true },
      take: 200,
      orderBy: { domain_id: "desc" },
    }),
  ])
  const registered = rows.map((row) => publishedAt(row.created_at, row.records, now))
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

/** So are the findings of a look. */
function keptOf(json: unknown): KeptFinding[] {
  return json as KeptFinding[]
}

export type DomainRow = {
  id: string; project_id: string; name: string; region: string; mail_from_domain: string; status: string
  dkim_status: string; spf_status: string; mail_from_status: string; dmarc_status: string; bimi_status: string
  bimi_logo_url: string | null; records: unknown; verified_at: Date | null; checked_at: Date | null; due_at: Date | null
  created_at: Date; updated_at: Date; hosting: unknown
}

/** A row of the table as the API shows it. */
export function toDomain(row: DomainRow, looks: Domain["looks"] = []): Domain {
  const hosting = hostingOf(row.hosting)
  return {
    id: row.id,
    projectId: row.project_id,
    domain: row.name,
    region: row.region,
    status: row.status,
    dkimStatus: row.dkim_status,
    spfStatus: row.spf_status,
    dmarcStatus: row.dmarc_status,
    mailFromDomain: row.mail_from_domain,
    mailFromStatus: row.mail_from_status,
    bimiStatus: row.bimi_status,
    bimiLogoUrl: present(row.bimi_logo_url),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    verifiedAt: present(row.verified_at),
    verificationRecords: verificationRecords(recordsOf(row.records)),
    transport: env().regions[row.region as Region]?.transport,
    checkedAt: present(row.checked_at),
    nextCheckAt: present(row.due_at),
    zone: hosting?.zone ?? registrableDomain(row.name) ?? row.name,
    nameServers: hosting?.nameServers,
    provider: present(hosting && dnsProviderOf(hosting)),
    looks,
  }
}
