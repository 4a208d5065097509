import { addAudit } from "@/lib/access/audit/data"
import { restartedChecks } from "@/lib/domains/check/check-store"
import { recordOf, recordStates } from "@/lib/domains/columns"
import { rotatedStates } from "@/lib/domains/rotation/rotation-rules"
import { componentStatuses } from "@/lib/domains/rules"
import { lockRow } from "@/lib/platform/database/locks-sql"
import { db } from "@/lib/platform/database/scoped-db"
import type { Scope } from "@/lib/platform/http/scope"
import { encodeId } from "@/lib/platform/ids"

export type FreshKey = { id: string; publicKey: string; sealedPrivateKey: Buffer }

export type Rotated = "done" | "missing" | "standby-not-verified"

/**
 * Makes the standby key active, destroys the private part of the one it replaces, and makes `fresh` the new standby under
 * the idle selector. The domain's row is locked meanwhile: the second of two concurrent rotations finds no standby.
 */
export async function rotateKeys(scope: Scope, domainId: string, fresh: FreshKey, now: Date): Promise<Rotated> {
  return db(scope).$transaction(async (tx) => {
    await lockRow({ of: scope, table: "domains" }, domainId, tx)
    const domain = await tx.domain.findUnique({
      where: { id: domainId },
      select: {
        name: true,
        records: true,
        updatedAt: true,
        dkimKeys: {
          where: { state: { not: "retired" } },
          select: { id: true, selector: true, publicKey: true, state: true, status: true },
        },
      },
    })
    if (!domain) return "missing"
    const active = domain.dkimKeys.find(({ state }) => state === "active")
    const standby = domain.dkimKeys.find(({ state, status }) => state === "standby" && status === "verified")
    if (!active || !standby) return "standby-not-verified"

    await tx.dkimKey.updateMany({
      where: { id: active.id },
      data: { state: "retired", privateKey: null, retiredAt: now },
    })
    await tx.dkimKey.updateMany({ where: { id: standby.id }, data: { state: "active" } })
    const { id, publicKey, sealedPrivateKey } = fresh
    const privateKey = new Uint8Array(sealedPrivateKey)
    await tx.dkimKey.createMany({
      data: { id, domainId, selector: active.selector, publicKey, privateKey, state: "standby" },
    })
    const idle = recordOf(active.selector)
    const records = rotatedStates(recordStates(domain.records), idle, active.publicKey, now)
    const { dkimStatus } = componentStatuses(records, idle === "dkim-a" ? "dkim-b" : "dkim-a")
    await tx.domain.updateMany({
      where: { id: domainId },
      data: { records, dkimStatus, ...(await restartedChecks(domain, tx)) },
    })
    const changes = { domain: domain.name, active: standby.selector, retired: active.selector }
    await addAudit(scope, { action: "domain.dkim_rotated", target: encodeId("dom", domainId), changes }, tx)
    return "done"
  })
}
