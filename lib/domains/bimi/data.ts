import { addAudit } from "@/lib/access/audit/data"
import { type BimiSettings, bimiStatus } from "@/lib/domains/bimi/rules"
import { restartedChecks } from "@/lib/domains/check/data"
import { recordStates } from "@/lib/domains/data"
import { statesOf, type WatchedRecord } from "@/lib/domains/records/records"
import { lockRow } from "@/lib/platform/database/locks-sql"
import { db } from "@/lib/platform/database/scoped-db"
import type { Scope } from "@/lib/platform/http/scope"
import { encodeId } from "@/lib/platform/ids"

const shape = {
  name: true,
  updatedAt: true,
  records: true,
  bimiLogoUrl: true,
  bimiVmcUrl: true,
  bimiLogo: true,
} as const

export type StoredBimi = BimiSettings & { domain: string; svg: string | null; status: string }

/** The logo as it was checked, and where it is; null when there is no such domain. */
export async function findBimi(scope: Scope, id: string): Promise<StoredBimi | null> {
  const row = await db(scope).domain.findUnique({ where: { id }, select: { ...shape, bimiStatus: true } })
  return (
    row && {
      ...{ domain: row.name, logoUrl: row.bimiLogoUrl, vmcUrl: row.bimiVmcUrl },
      ...{ svg: row.bimiLogo, status: row.bimiStatus },
    }
  )
}

/** Stores a logo that was checked; the record to publish follows it, and is waited for. False when there is no such domain. */
export async function saveBimi(
  scope: Scope,
  id: string,
  bimi: BimiSettings & { svg: string | null },
): Promise<boolean> {
  return db(scope).$transaction(async (tx) => {
    if (!(await lockRow({ of: scope, table: "domains" }, id, tx))) return false
    const domain = await tx.domain.findUnique({ where: { id }, select: shape })
    if (!domain) return false
    const records = recordStates(domain.records).filter(({ key }) => key !== "bimi")
    await tx.domain.updateMany({
      where: { id },
      data: {
        ...{ bimiLogoUrl: bimi.logoUrl, bimiVmcUrl: bimi.vmcUrl, bimiLogo: bimi.svg },
        ...{
          records,
          bimiStatus: bimi.logoUrl === null ? "not_configured" : "pending",
          ...(await restartedChecks(domain, tx)),
        },
      },
    })
    const changes = {
      before: { logoUrl: domain.bimiLogoUrl, vmcUrl: domain.bimiVmcUrl },
      after: { logoUrl: bimi.logoUrl, vmcUrl: bimi.vmcUrl },
    }
    await addAudit(
      scope,
      { action: "domain.bimi_changed", target: encodeId("dom", id), name: domain.name, changes },
      tx,
    )
    return true
  })
}

/** Stores the result of a lookup of the record, unless the domain was checked or changed in the meantime. */
export async function saveBimiCheck(
  scope: Scope,
  domain: { id: string; checkedAt: Date | null; updatedAt: Date },
  records: WatchedRecord[],
): Promise<void> {
  await db(scope).domain.updateMany({
    where: { id: domain.id, checkedAt: domain.checkedAt, updatedAt: domain.updatedAt },
    data: { records: statesOf(records), bimiStatus: bimiStatus(records) },
  })
}
