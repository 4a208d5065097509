import { pool, prisma, transaction } from "@/lib/platform/db"
import { UNIQUE_VIOLATION, sqlState } from "@/lib/platform/sql-errors"
import { env } from "@/lib/platform/env"

import type { Random } from "@/lib/platform/io"
import { offset, type PageRequest } from "@/lib/platform/paging"
import { present } from "@/lib/platform/schema"
import type { Scope } from "@/lib/platform/scope"
import type { Region } from "@/lib/platform/env-settings"
import { looksOf, type KeptFinding } from "./history"
import { registrableDomain } from "./registrable"
import type { WatchedRecord } from "./rules"
import type { Domain, DomainListItem } from "./schema"
import { verificationRecords } from "./verification-records"

/** Looks that a domain's answer shows. */
const looksShown = 10

const shape = {
  id: true, project_id: true, name: true, region: true, mail_from_domain: true, status: true, dkim_status: true,
  spf_status: true, mail_from_status: true, dmarc_status: true, bimi_status: true, bimi_logo_url: true, records: true,
  verified_at: true, checked_at: true, due_at: true, created_at: true, updated_at: true,
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

/** The domain's name and the records to publish. */
export async function publishedRecords(
  scope: Scope,
  id: string,
): Promise<{ domain: string; records: WatchedRecord[] } | null> {
  const row = await prisma().domains.findUnique({
    where: { project_id_id: { project_id: scope.project.id, id } },
    select: { name: true, records: true },
  })
  return row && { domain: row.name, records: recordsOf(row.records) }
}

/** Whether the domain is registered in this project, and the MAIL FROM domains under it that anybody here uses. */
export async function namesInUse(scope: Scope, name: string): Promise<{ here: boolean; mailFrom: Set<string> }> {
  const [here, others] = await Promise.all([
    prisma().domains.count({ where: { project_id: scope.project.id, name } }),
    prisma().domains.findMany({
      where: { mail_from_domain: { endsWith: `.${name}` } },
      select: { mail_from_domain: true },
    }),
  ])
  return { here: here > 0, mailFrom: new Set(others.map((row) => row.mail_from_domain)) }
}

/** The stable local part of the report address of this organization's domain: 80 random bits, made on first use. */
export async function reportToken(scope: Scope, name: string, random: Random): Promise<string> {
  const token = random.bytes(10).toString("hex")
  const { rows } = await pool().query<{ token: string }>(
    `INSERT INTO dmarc_tokens (token, organization_id, domain) VALUES ($1, $2, $3)
      ON CONFLICT (organization_id, domain) DO UPDATE SET domain = excluded.domain RETURNING token`,
    [token, scope.organization.id, name],
  )
  return rows[0]?.token ?? token
}

export type DomainPlan = {
  id: string
  name: string
  region: Region
  mailFromDomain: string
  trackingDomain: string
  dmarcStatus: string
  records: WatchedRecord[]
  keys: { id: string; selector: string; publicKey: string; sealedPrivateKey: Buffer; state: "active" | "standby" }[]
  firstLookSeconds: number
}

export type Added = { domain: Domain } | { limit: number } | "taken" | "mail-from-taken"

/** Registers a domain with its keys. The project's row is locked meanwhile, so that its limit is exact. */
export async function addDomain(scope: Scope, plan: DomainPlan): Promise<Added> {
  try {
    return await transaction(async (client) => {
      const { rows: [project] } = await client.query<{ max: number; used: number; here: boolean }>(
        `SELECT p.max_domains AS max, (SELECT count(*)::int FROM domains WHERE project_id = p.id) AS used,
            EXISTS (SELECT 1 FROM domains WHERE project_id = p.id AND name = $2) AS here
          FROM (SELECT id, max_domains FROM projects WHERE id = $1 FOR NO KEY UPDATE) p`,
        [scope.project.id, plan.name],
      )
      if (!project || project.here) return "taken"
      if (project.used >= project.max) return { limit: project.max }
      await client.query(
        `INSERT INTO domains (id, project_id, name, region, mail_from_domain, tracking_domain, dmarc_status, records,
            missing_since, due_at)
          VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now(), now() + make_interval(secs => $9))`,
        [plan.id, scope.project.id, plan.name, plan.region, plan.mailFromDomain, plan.trackingDomain, plan.dmarcStatus,
          JSON.stringify(plan.records), plan.firstLookSeconds],
      )
      for (const key of plan.keys) {
        await client.query(
          `INSERT INTO dkim_keys (id, project_id, domain_id, selector, public_key, private_key, state)
            VALUES ($1, $2, $3, $4, $5, $6, $7)`,
          [key.id, scope.project.id, plan.id, key.selector, key.publicKey, key.sealedPrivateKey, key.state],
        )
      }
      const { rows: [row] } = await client.query<Row>("SELECT * FROM domains WHERE id = $1", [plan.id])
      if (!row) throw new Error("A domain that was just added is gone.")
      return { domain: toDomain(row) }
    })
  } catch (error) {
    // The name is guarded by the lock: what two projects can still collide in is the MAIL FROM domain.
    if (sqlState(error) === UNIQUE_VIOLATION) return "mail-from-taken"
    throw error
  }
}

/** Removes the domain with its keys; false when there is none. */
export async function removeDomain(scope: Scope, id: string): Promise<boolean> {
  const { count } = await prisma().domains.deleteMany({ where: { project_id: scope.project.id, id } })
  return count > 0
}

/** What the sandbox's name server publishes: registrations in these regions of a domain and of the names under it. */
export async function registrationsUnder(
  domain: string,
  regions: string[],
): Promise<{ registeredAt: Date; records: WatchedRecord[] }[]> {
  const rows = await prisma().domains.findMany({
    where: { region: { in: regions }, OR: [{ name: domain }, { name: { endsWith: `.${domain}` } }] },
    select: { created_at: true, records: true },
    take: 200,
    orderBy: { id: "desc" },
  })
  return rows.map((row) => ({ registeredAt: row.created_at, records: recordsOf(row.records) }))
}

/** The records column is written by this area alone, always as a list of watched records. */
function recordsOf(json: unknown): WatchedRecord[] {
  return json as WatchedRecord[]
}

/** So are the findings of a look. */
function keptOf(json: unknown): KeptFinding[] {
  return json as KeptFinding[]
}


type Row = {
  id: string; project_id: string; name: string; region: string; mail_from_domain: string; status: string
  dkim_status: string; spf_status: string; mail_from_status: string; dmarc_status: string; bimi_status: string
  bimi_logo_url: string | null; records: unknown; verified_at: Date | null; checked_at: Date | null; due_at: Date | null
  created_at: Date; updated_at: Date
}

function toDomain(row: Row, looks: Domain["looks"] = []): Domain {
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
    zone: registrableDomain(row.name) ?? row.name,
    looks,
  }
}
