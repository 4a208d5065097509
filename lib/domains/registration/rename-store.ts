import { addAudit } from "@/lib/access/audit-store"
import { transaction } from "@/lib/platform/database/db"
import { encodeId } from "@/lib/platform/ids"
import type { Scope } from "@/lib/platform/http/scope"
import { UNIQUE_VIOLATION, sqlState } from "@/lib/platform/database/sql-errors"
import { componentStatuses, renamed, type WatchedRecord } from "@/lib/domains/rules"

export type HostNames = { mailFromDomain: string; trackingDomain: string }

export type Renamed = "done" | "missing" | "verified" | "mail-from-taken"

/**
 * Gives a domain that was never verified other host names. What was found at the old ones is forgotten, and its three
 * days start anew.
 */
export async function changeHostNames(
  scope: Scope,
  domainId: string,
  change: Partial<HostNames>,
  now: Date,
): Promise<Renamed> {
  try {
    return await transaction(async (client) => {
      const ids = [scope.project.id, domainId]
      const {
        rows: [domain],
      } = await client.query<Row>(
        `SELECT mail_from_domain, tracking_domain, records, verified_at FROM domains
          WHERE project_id = $1 AND id = $2 FOR UPDATE`,
        ids,
      )
      if (!domain) return "missing"
      if (domain.verified_at) return "verified"
      const before = { mailFromDomain: domain.mail_from_domain, trackingDomain: domain.tracking_domain }
      const after = { ...before, ...change }
      if (after.mailFromDomain === before.mailFromDomain && after.trackingDomain === before.trackingDomain)
        return "done"
      const records = renamed(domain.records, after)
      // Nothing was verified yet, so it makes no difference which of the keys is the one in use.
      const { spfStatus, mailFromStatus, trackingStatus } = componentStatuses(records, "dkim-a")
      await client.query(
        `UPDATE domains SET mail_from_domain = $3, tracking_domain = $4, records = $5, status = 'pending', spf_status = $6,
            mail_from_status = $7, tracking_status = $8, missing_since = $9, check_attempt = 0,
            due_at = now() + interval '5 seconds', updated_at = greatest(now(), updated_at + interval '1 millisecond')
          WHERE project_id = $1 AND id = $2`,
        [
          ...ids,
          after.mailFromDomain,
          after.trackingDomain,
          JSON.stringify(records),
          spfStatus,
          mailFromStatus,
          trackingStatus,
          now,
        ],
      )
      const changes = { before, after }
      await addAudit(scope, { action: "domain.renamed", target: encodeId("dom", domainId), changes }, client)
      return "done"
    })
  } catch (error) {
    if (sqlState(error) === UNIQUE_VIOLATION) return "mail-from-taken"
    throw error
  }
}

type Row = { mail_from_domain: string; tracking_domain: string; records: WatchedRecord[]; verified_at: Date | null }
