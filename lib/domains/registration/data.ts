import { addAudit } from "@/lib/access/audit/data"
import { reservedNames } from "@/lib/access/limits/data"
import { restartedChecks } from "@/lib/domains/check/data"
import {
  domainShape,
  findDomain,
  findReportToken,
  recordsShape,
  recordStates,
  registrationOf,
  type RetainedRegistration,
} from "@/lib/domains/data"
import type { Hosting } from "@/lib/domains/diagnosis/hosting"
import type { DomainNames, RecordState } from "@/lib/domains/records/records"
import { componentStatuses, renamed } from "@/lib/domains/rules"
import type { Domain } from "@/lib/domains/schema"
import { databaseTime, secondsAfter } from "@/lib/platform/database/clock-sql"
import type { MailFromAnswer } from "@/lib/platform/cells/questions"
import { unscoped, unscopedTransaction } from "@/lib/platform/database/db"
import { lockProject, lockRow } from "@/lib/platform/database/locks-sql"
import { db } from "@/lib/platform/database/scoped-db"
import { sqlState, uniqueViolation } from "@/lib/platform/database/sql-errors"
import type { Scope } from "@/lib/platform/http/scope"
import { encodeId } from "@/lib/platform/ids"
import type { Region } from "@/lib/regions/regions"
import type { Prisma } from "@/prisma/generated/client"

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

/**
 * Those of the MAIL FROM domains that are used here, or are about to be, for the cell that asks. Not of an organization that has left,
 * whose new cell answers for it, nor of one that still works where the question comes from.
 */
export async function takenMailFrom(names: readonly string[], asker: string): Promise<MailFromAnswer> {
  const reserved = await reservedNames(names)
  const rows = await unscoped().domain.findMany({
    where: { mailFromDomain: { in: [...names] } },
    select: { mailFromDomain: true, project: { select: { organizationId: true } } },
  })
  const moves = await unscoped().cellMove.findMany({
    where: {
      organizationId: { in: rows.map(({ project }) => project.organizationId) },
      OR: [{ state: { in: ["left", "returning"] } }, { state: "arriving", cell: asker }],
    },
    select: { organizationId: true },
  })
  const elsewhere = new Set(moves.map(({ organizationId }) => organizationId))
  const used = rows.filter(({ project }) => !elsewhere.has(project.organizationId))
  return { used: used.map(({ mailFromDomain }) => mailFromDomain), reserved }
}

export type DomainPlan = {
  id: string
  name: string
  region: Region
  mailFromDomain: string
  trackingDomain: string
  dmarcStatus: string
  records: RecordState[]
  /** The installation's names. */
  service: DomainNames
  hosting: Hosting | null
  keys: { id: string; selector: string; publicKey: string; sealedPrivateKey: Buffer; state: "active" | "standby" }[]
  firstCheckSeconds: number
}

export type RegisteredDomain = { domain: Domain } | { limit: number } | "taken" | "mail-from-taken"

/** A name that this cell may store, in the transaction in which `take` is called; false where it may no longer. */
export type Claim = { take(tx: Prisma.TransactionClient): Promise<boolean> }

/** Registers a domain with its keys. The project's row is locked meanwhile, so that its limit is exact. */
export async function addDomain(scope: Scope, plan: DomainPlan, mailFrom: Claim): Promise<RegisteredDomain> {
  try {
    const refused = await unscopedTransaction((tx) => insert(scope, plan, mailFrom, tx))
    if (refused) return refused
  } catch (error) {
    // The lock guards the name, so two projects can collide in nothing but the MAIL FROM domain.
    if (sqlState(error) === uniqueViolation) return "mail-from-taken"
    throw error
  }
  const domain = await findDomain(scope, plan.id)
  if (!domain) throw new Error("A domain that was just added is missing.")
  return { domain }
}

async function insert(
  scope: Scope,
  plan: DomainPlan,
  mailFrom: Claim,
  on: Prisma.TransactionClient,
): Promise<"taken" | "mail-from-taken" | { limit: number } | null> {
  const tx = db(scope, on)
  const limits = await lockProject(scope, tx)
  // A separate statement, because it must see what the previous holder of the lock has added.
  const registered = await tx.domain.findMany({ select: { name: true } })
  if (!limits || registered.some(({ name }) => name === plan.name)) return "taken"
  if (registered.length >= limits.maxDomains) return { limit: limits.maxDomains }
  if (!(await mailFrom.take(on))) return "mail-from-taken"
  const { keys, firstCheckSeconds, hosting, service, ...domain } = plan
  const now = await databaseTime(tx)
  await tx.domain.createMany({
    data: {
      ...domain,
      checkedServiceDomain: service.serviceDomain,
      checkedReportDomain: service.reportDomain,
      checkedMailFromMx: service.mx,
      checkedMailFromSpf: service.spf,
      ...(hosting && { hosting }),
      missingSince: now,
      dueAt: secondsAfter(now, firstCheckSeconds),
    },
  })
  await tx.dkimKey.createMany({
    data: keys.map(({ sealedPrivateKey, ...key }) => ({
      ...key,
      domainId: plan.id,
      privateKey: new Uint8Array(sealedPrivateKey),
    })),
  })
  const { name, region, mailFromDomain, trackingDomain } = plan
  const changes = { region, mailFromDomain, trackingDomain }
  await addAudit(scope, { action: "domain.added", target: encodeId("dom", plan.id), name, changes }, tx)
  return null
}

/**
 * Removes the domain with its keys; false when there is none. What accepted mail needs to be sent is retained, even if
 * none is waiting: a send that is being accepted right now cannot be seen from here.
 */
export async function removeDomain(scope: Scope, id: string): Promise<boolean> {
  const registered = await db(scope).domain.findUnique({ where: { id }, select: { name: true } })
  if (!registered) return false
  // Before the transaction: whoever holds a connection and waits for another one waits for all who do the same.
  const token = await findReportToken({ organizationId: scope.organization.id, domain: registered.name })
  return db(scope).$transaction(async (tx) => {
    // A rotation holds the same lock, so the key read behind it is the active one.
    if (!(await lockRow({ of: scope, table: "domains" }, id, tx))) return false
    const [key] = await tx.dkimKey.findMany({
      where: { domainId: id, state: "active" },
      select: {
        id: true,
        selector: true,
        privateKey: true,
        domain: { select: recordsShape },
      },
    })
    if (key?.privateKey) {
      const { domain, region, mailFromDomain, ...records } = registrationOf(key.domain, token)
      const { id: keyId, selector, privateKey } = key
      const kept: RetainedRegistration = records
      const signer = { domain, region, mailFromDomain, records: kept, keyId, selector, privateKey }
      await tx.retainedSigner.createMany({ data: { ...signer, domainId: id } })
    }
    const removed = await tx.domain.findUnique({ where: { id }, select: { name: true, status: true } })
    await tx.domain.deleteMany({ where: { id } })
    const changes = { status: removed?.status }
    await addAudit(scope, { action: "domain.deleted", target: encodeId("dom", id), name: removed?.name, changes }, tx)
    return true
  })
}

// Other host names

export type HostNames = { mailFromDomain: string; trackingDomain: string }

export type Renamed = "done" | "missing" | "verified" | "mail-from-taken"

/**
 * Changes the host names of a domain that was never verified. What was found at the old ones is dropped, and its 72 hours
 * start anew. The names that it has already are no change, verified or not.
 */
export async function changeHostNames(
  scope: Scope,
  domainId: string,
  change: Partial<HostNames>,
  { mailFrom, now }: { mailFrom: Claim; now: Date },
): Promise<Renamed> {
  try {
    return await unscopedTransaction(async (on) => {
      const tx = db(scope, on)
      await lockRow({ of: scope, table: "domains" }, domainId, tx)
      const domain = await tx.domain.findUnique({ where: { id: domainId }, select: domainShape })
      if (!domain) return "missing"
      const before = { mailFromDomain: domain.mailFromDomain, trackingDomain: domain.trackingDomain }
      const after = { ...before, ...change }
      if (after.mailFromDomain === before.mailFromDomain && after.trackingDomain === before.trackingDomain)
        return "done"
      if (domain.verifiedAt) return "verified"
      if (!(await mailFrom.take(on))) return "mail-from-taken"
      const records = renamed(recordStates(domain.records), before, after)
      // Nothing was verified yet, so it makes no difference which of the keys is active.
      const { spfStatus, mailFromStatus, trackingStatus } = componentStatuses(records, "dkim-a")
      const statuses = { status: "pending", spfStatus, mailFromStatus, trackingStatus }
      await tx.domain.updateMany({
        where: { id: domainId },
        data: { ...after, ...statuses, records, missingSince: now, ...(await restartedChecks(domain, tx)) },
      })
      const changes = { before, after }
      await addAudit(
        scope,
        { action: "domain.renamed", target: encodeId("dom", domainId), name: domain.name, changes },
        tx,
      )
      return "done"
    })
  } catch (error) {
    if (sqlState(error) === uniqueViolation) return "mail-from-taken"
    throw error
  }
}
