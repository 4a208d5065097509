import { dayMs, hourMs } from "@/lib/platform/time"
import {
  chainStart,
  equal,
  follow,
  linksAfter,
  linksMax,
  type ChainPlace,
  type Fault,
} from "@/lib/access/audit/chain-sql"
import { unscopedTransaction } from "@/lib/platform/database/db"
import { tryLock } from "@/lib/platform/database/locks-sql"
import { hmac } from "@/lib/platform/crypto"
import { encodeId, firstIdAt } from "@/lib/platform/ids"
import { log } from "@/lib/platform/log"
import type { Prisma } from "@/prisma/generated/client"

// Whoever owns the database can write a chain that fits. The seals are made by the worker, with a key that is derived from
// SECRET_KEY: what they cover cannot be changed, and no chain can end earlier or go, unless they are made anew.

type Seal = ChainPlace & { organizationId: string; mac: Uint8Array }
type Total = { organizations: number; entries: bigint; mac: Uint8Array }

/** Chains sealed in a round, which also ends after as many links as are read at once. */
const chainsMax = 50
/** Seals written to the log at once. */
const loggedMax = 10_000
const logEveryMs = dayMs

export function isGenuine({ organizationId, position, hash, mac }: Seal): boolean {
  return equal(mac, macOf(organizationId, position, hash))
}

export function isGenuineTotal({ organizations, entries, mac }: Total): boolean {
  return equal(mac, macOfTotal(organizations, entries))
}

function macOf(organizationId: string, position: bigint, hash: Uint8Array): Buffer {
  return hmac("audit seal", JSON.stringify([organizationId, String(position), Buffer.from(hash).toString("hex")]))
}

function macOfTotal(organizations: number, entries: bigint): Buffer {
  return hmac("audit seals", JSON.stringify([organizations, String(entries)]))
}

/** Chains of which this process has said already that they cannot be sealed. */
const refused = new Set<string>()

/**
 * Seals what was added to the chains since the last round, if it follows what is sealed. A chain that does not is logged and left:
 * `verify-audit-log` names its fault. Once a day the seals are written to the log, which the database's owner cannot change.
 * @returns whether there may be more
 */
export function sealAuditLog(now: Date): Promise<boolean> {
  return unscopedTransaction(async (tx) => {
    if (!(await tryLock("audit seals", tx))) return false
    const stored = await tx.auditSealTotal.findUnique({ where: { id: 1 } })
    if (stored ? !isGenuineTotal(stored) : (await tx.auditSeal.count()) > 0) {
      refuse("The sum of the seals is missing, or was not made with this installation's key.")
      return false
    }
    const total = { organizations: stored?.organizations ?? 0, entries: stored?.entries ?? 0n }
    const chains = await unsealed(tx, now)
    let left = linksMax
    for (const { organizationId, position: last } of chains.slice(0, chainsMax)) {
      if (left <= 0) break
      const seal = await tx.auditSeal.findUnique({ where: { organizationId } })
      const { end, links } = await sealedTo(tx, organizationId, seal, last)
      left -= links
      if (!end) continue
      const sealed = { position: end.position, hash: new Uint8Array(end.hash) }
      const mac = new Uint8Array(macOf(organizationId, end.position, end.hash))
      await tx.auditSeal.upsert({
        where: { organizationId },
        create: { organizationId, ...sealed, mac },
        update: { ...sealed, mac, sealedAt: now },
      })
      total.organizations += seal ? 0 : 1
      total.entries += end.position - (seal?.position ?? 0n)
    }
    const more = chains.length > chainsMax || left <= 0
    if (more) allSeenAt = -Infinity
    const due = !stored?.loggedAt || now.getTime() - stored.loggedAt.getTime() >= logEveryMs
    if (chains.length === 0 && !(due && stored)) return false
    const row = { ...total, mac: new Uint8Array(macOfTotal(total.organizations, total.entries)) }
    const loggedAt = due ? now : (stored?.loggedAt ?? null)
    await tx.auditSealTotal.upsert({
      where: { id: 1 },
      create: { id: 1, ...row, loggedAt },
      update: { ...row, loggedAt },
    })
    if (due) await writeToLog(tx, total, stored?.loggedAt ?? null)
    return more
  })
}

/** How long a transaction that adds an entry may take and still be looked for in each round. */
const recentMs = 10 * 60 * 1000
const allEveryMs = hourMs
let allSeenAt = -Infinity

/** The chains that are longer than what is sealed, in order: those with recent entries; of all once an hour. */
async function unsealed(
  tx: Prisma.TransactionClient,
  now: Date,
): Promise<{ organizationId: string; position: bigint }[]> {
  const isAll = now.getTime() - allSeenAt >= allEveryMs
  if (isAll) allSeenAt = now.getTime()
  const recent = isAll
    ? []
    : await tx.auditEntry.groupBy({
        by: ["organizationId"],
        where: { id: { gte: firstIdAt(new Date(now.getTime() - recentMs)) } },
      })
  const where = isAll ? {} : { organizationId: { in: recent.map(({ organizationId }) => organizationId) } }
  const heads = await tx.auditHead.findMany({
    where,
    select: { organizationId: true, position: true },
    orderBy: { organizationId: "asc" },
  })
  const seals = await tx.auditSeal.findMany({ where, select: { organizationId: true, position: true } })
  const sealed = new Map(seals.map(({ organizationId, position }) => [organizationId, position]))
  return heads.filter(
    ({ organizationId, position }) => position > (sealed.get(organizationId) ?? 0n) && !refused.has(organizationId),
  )
}

/** How far a chain can be sealed now; null if it does not follow its seal. */
async function sealedTo(
  tx: Prisma.TransactionClient,
  organizationId: string,
  seal: Seal | null,
  last: bigint,
): Promise<{ end: ChainPlace | null; links: number }> {
  const refusal = (fault: string) => {
    refuse(fault, organizationId)
    return { end: null, links: 0 }
  }
  if (seal && !isGenuine(seal)) return refusal("Its seal was not made with this installation's key.")
  const links = await linksAfter(tx, organizationId, seal?.position ?? 0n, last)
  const { place, fault } = follow(links, seal ?? chainStart)
  if (fault) return refusal(`Position ${fault.position}: ${fault.fault}`)
  return place.position === (seal?.position ?? 0n)
    ? refusal("Its last links are missing.")
    : { end: place, links: links.length }
}

/** Says once what is wrong with the chain of an organization, or with the sum of all. */
function refuse(fault: string, organizationId = "") {
  if (refused.has(organizationId)) return
  refused.add(organizationId)
  const organization = organizationId ? { organizationId: encodeId("org", organizationId) } : {}
  log.error({ ...organization, fault }, "audit entries are not sealed: run npm run admin -- verify-audit-log")
}

/** The sum, and each chain that has grown since it was last written. */
async function writeToLog(
  tx: Prisma.TransactionClient,
  { organizations, entries }: { organizations: number; entries: bigint },
  since: Date | null,
) {
  log.info({ organizations, entries: Number(entries) }, "audit entries are sealed")
  const seals = await tx.auditSeal.findMany({
    ...(since && { where: { sealedAt: { gte: since } } }),
    orderBy: { organizationId: "asc" },
    take: loggedMax,
  })
  for (const { organizationId, position, hash } of seals)
    log.info(
      {
        organizationId: encodeId("org", organizationId),
        position: Number(position),
        hash: Buffer.from(hash).toString("hex"),
      },
      "audit chain",
    )
}

/** What is wrong with the seal of a chain; `hashAt` is the hash of the chain's link at the seal's position, if there is one. */
export function faultOfSeal(seal: Seal, end: ChainPlace, hashAt: Uint8Array | null): Fault | null {
  const position = Number(seal.position)
  if (!isGenuine(seal)) return { position, fault: "The seal was not made with this installation's key." }
  if (!hashAt) {
    const fault =
      end.position === 0n
        ? `Sealed to ${position}, and no entry is left: the whole chain was removed.`
        : `Sealed to ${position}, and the chain ends at ${end.position}: entries at the end were removed.`
    return { position: Number(end.position) + 1, fault }
  }
  return equal(hashAt, seal.hash)
    ? null
    : { position, fault: "Entries up to this position are others than were sealed." }
}
