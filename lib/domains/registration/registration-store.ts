import { pool, transaction, unscoped } from "@/lib/platform/database/db"
import type { Region } from "@/lib/platform/env/settings"
import type { Random } from "@/lib/platform/io"
import type { Scope } from "@/lib/platform/http/scope"
import { db } from "@/lib/platform/database/scoped-db"
import { UNIQUE_VIOLATION, sqlState } from "@/lib/platform/database/sql-errors"
import type { Hosting } from "@/lib/domains/diagnosis/hosting"
import type { WatchedRecord } from "@/lib/domains/rules"
import type { Domain } from "@/lib/domains/schema"
import { findDomain } from "@/lib/domains/store"

/** Whether the domain is registered in this project, and the MAIL FROM domains under it that anybody here uses. */
export async function namesInUse(scope: Scope, name: string): Promise<{ here: boolean; mailFrom: Set<string> }> {
  const [here, others] = await Promise.all([
    db(scope).domain.count({ where: { name } }),
    unscoped().domain.findMany({
      where: { mailFromDomain: { endsWith: `.${name}` } },
      select: { mailFromDomain: true },
    }),
  ])
  return { here: here > 0, mailFrom: new Set(others.map((row) => row.mailFromDomain)) }
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
  hosting: Hosting | null
  keys: { id: string; selector: string; publicKey: string; sealedPrivateKey: Buffer; state: "active" | "standby" }[]
  firstCheckSeconds: number
}

export type Added = { domain: Domain } | { limit: number } | "taken" | "mail-from-taken"

/** Registers a domain with its keys. The project's row is locked meanwhile, so that its limit is exact. */
export async function addDomain(scope: Scope, plan: DomainPlan): Promise<Added> {
  try {
    const refused = await transaction(async (client) => {
      const {
        rows: [project],
      } = await client.query<{ max: number; used: number; here: boolean }>(
        `SELECT p.max_domains AS max, (SELECT count(*)::int FROM domains WHERE project_id = p.id) AS used,
            EXISTS (SELECT 1 FROM domains WHERE project_id = p.id AND name = $2) AS here
          FROM (SELECT id, max_domains FROM projects WHERE id = $1 FOR NO KEY UPDATE) p`,
        [scope.project.id, plan.name],
      )
      if (!project || project.here) return "taken"
      if (project.used >= project.max) return { limit: project.max }
      await client.query(
        `INSERT INTO domains (id, project_id, name, region, mail_from_domain, tracking_domain, dmarc_status, records,
            hosting, missing_since, due_at)
          VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $10, now(), now() + make_interval(secs => $9))`,
        [
          plan.id,
          scope.project.id,
          plan.name,
          plan.region,
          plan.mailFromDomain,
          plan.trackingDomain,
          plan.dmarcStatus,
          JSON.stringify(plan.records),
          plan.firstCheckSeconds,
          plan.hosting && JSON.stringify(plan.hosting),
        ],
      )
      for (const key of plan.keys) {
        await client.query(
          `INSERT INTO dkim_keys (id, project_id, domain_id, selector, public_key, private_key, state)
            VALUES ($1, $2, $3, $4, $5, $6, $7)`,
          [key.id, scope.project.id, plan.id, key.selector, key.publicKey, key.sealedPrivateKey, key.state],
        )
      }
      return null
    })
    if (refused) return refused
    const domain = await findDomain(scope, plan.id)
    if (!domain) throw new Error("A domain that was just added is missing.")
    return { domain }
  } catch (error) {
    // The name is guarded by the lock: what two projects can still collide in is the MAIL FROM domain.
    if (sqlState(error) === UNIQUE_VIOLATION) return "mail-from-taken"
    throw error
  }
}

/**
 * Removes the domain with its keys; false when there is none. What accepted mail needs to leave is retained, whether or
 * not any waits: a send that is being accepted right now cannot be seen from here.
 */
export async function removeDomain(scope: Scope, id: string): Promise<boolean> {
  return transaction(async (client) => {
    const ids = [scope.project.id, id]
    // A rotation holds the same lock, so the key read behind it is the one in use.
    const { rowCount } = await client.query("SELECT 1 FROM domains WHERE project_id = $1 AND id = $2 FOR UPDATE", ids)
    if (!rowCount) return false
    await client.query(
      `INSERT INTO retained_signers (domain_id, project_id, domain, region, mail_from_domain, key_id, selector, private_key, records)
        SELECT d.id, d.project_id, d.name, d.region, d.mail_from_domain, k.id, k.selector, k.private_key, d.records
          FROM domains d JOIN dkim_keys k ON k.project_id = d.project_id AND k.domain_id = d.id AND k.state = 'active'
          WHERE d.project_id = $1 AND d.id = $2`,
      ids,
    )
    await client.query("DELETE FROM domains WHERE project_id = $1 AND id = $2", ids)
    return true
  })
}
