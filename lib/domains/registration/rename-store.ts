import { addAudit } from "@/lib/access/audit/data"
import { restartedChecks } from "@/lib/domains/check/check-store"
import { domainShape, recordStates } from "@/lib/domains/columns"
import { componentStatuses, renamed } from "@/lib/domains/rules"
import { lockRow } from "@/lib/platform/database/locks-sql"
import { db } from "@/lib/platform/database/scoped-db"
import { uniqueViolation, sqlState } from "@/lib/platform/database/sql-errors"
import type { Scope } from "@/lib/platform/http/scope"
import { encodeId } from "@/lib/platform/ids"

export type HostNames = { mailFromDomain: string; trackingDomain: string }

export type Renamed = "done" | "missing" | "verified" | "mail-from-taken"

/**
 * Changes the host names of a domain that was never verified. What was found at the old ones is dropped, and its 72 hours
 * start anew.
 */
export async function changeHostNames(
  scope: Scope,
  domainId: string,
  change: Partial<HostNames>,
  now: Date,
): Promise<Renamed> {
  try {
    return await db(scope).$transaction(async (tx) => {
      await lockRow({ of: scope, table: "domains" }, domainId, tx)
      const domain = await tx.domain.findUnique({ where: { id: domainId }, select: domainShape })
      if (!domain) return "missing"
      if (domain.verifiedAt) return "verified"
      const before = { mailFromDomain: domain.mailFromDomain, trackingDomain: domain.trackingDomain }
      const after = { ...before, ...change }
      if (after.mailFromDomain === before.mailFromDomain && after.trackingDomain === before.trackingDomain)
        return "done"
      const records = renamed(recordStates(domain.records), before, after)
      // Nothing was verified yet, so it makes no difference which of the keys is active.
      const { spfStatus, mailFromStatus, trackingStatus } = componentStatuses(records, "dkim-a")
      const statuses = { status: "pending", spfStatus, mailFromStatus, trackingStatus }
      await tx.domain.updateMany({
        where: { id: domainId },
        data: { ...after, ...statuses, records, missingSince: now, ...(await restartedChecks(domain, tx)) },
      })
      const changes = { before, after }
      await addAudit(scope, { action: "domain.renamed", target: encodeId("dom", domainId), changes }, tx)
      return "done"
    })
  } catch (error) {
    if (sqlState(error) === uniqueViolation) return "mail-from-taken"
    throw error
  }
}
