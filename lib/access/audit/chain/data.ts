import { createHash } from "node:crypto"
import { hmac } from "@/lib/platform/crypto"
import { unscoped, unscopedTransaction } from "@/lib/platform/database/db"
import { tryLock } from "@/lib/platform/database/locks-sql"
import { encodeId, firstIdAt } from "@/lib/platform/ids"
import { log } from "@/lib/platform/log"
import { dayMs, hourMs } from "@/lib/platform/time"
import type { Prisma } from "@/prisma/generated/client"

/** Where a chain no longer fits: the position, the entry if it is known, and what is wrong; of no organization: all of them. */
export type ChainFault = Fault & { organizationId?: string }

/** `sealed` of the entries are covered by seals. */
export type ChainVerdict = { organizations: number; entries: number; sealed: number; faults: ChainFault[] }

/** The worker seals within seconds; after this an entry without a seal is a fault. */
const sealedWithinMs = hourMs

/**
 * Recomputes the chain of every organization, of all projects, and compares it with the entries, with its end and with its
 * seal. Names the first fault of each chain. Entries that are added meanwhile are not read: an entry and its link are one commit.
 */
export async function verifyAuditLog(now = new Date()): Promise<ChainVerdict> {
  const organizations = await organizationsWithEntries()
  const verdict: ChainVerdict = { organizations: organizations.length, entries: 0, sealed: 0, faults: [] }
  for (const organizationId of organizations) {
    const { count, sealed, fault } = await verifyChain(organizationId, now)
    verdict.entries += count
    verdict.sealed += sealed
    if (fault) verdict.faults.push({ organizationId, ...fault })
  }
  const fault = await faultOfTotal()
  if (fault) verdict.faults.push(fault)
  return verdict
}

/** Those with an entry, a link, an end of a chain or a seal, in order. */
async function organizationsWithEntries(): Promise<string[]> {
  const by = { by: ["organizationId" as const] }
  const rows = await Promise.all([
    unscoped().auditEntry.groupBy(by),
    unscoped().auditLink.groupBy(by),
    unscoped().auditHead.groupBy(by),
    unscoped().auditSeal.groupBy(by),
  ])
  return [...new Set(rows.flat().map(({ organizationId }) => organizationId))].sort()
}

type Verified = { count: number; sealed: number; fault: Fault | null }

async function verifyChain(organizationId: string, now: Date): Promise<Verified> {
  // The seal first: it may be moved on meanwhile, and never covers more than the chain has.
  const seal = await unscoped().auditSeal.findUnique({ where: { organizationId } })
  const head = await unscoped().auditHead.findUnique({ where: { organizationId } })
  let previous: ChainPlace = chainStart
  let hashAtSeal: Uint8Array | null = null
  for (;;) {
    const links = await linksAfter(unscoped(), organizationId, previous.position, head?.position ?? null)
    const { place, fault } = follow(links, previous)
    if (fault) return { count: Number(place.position), sealed: 0, fault }
    previous = place
    hashAtSeal ??= links.find(({ position }) => position === seal?.position)?.hash ?? null
    if (links.length < linksMax) break
  }
  const fault =
    faultOfEnd(head, previous) ??
    (seal && faultOfSeal(seal, previous, hashAtSeal)) ??
    (await unchained(organizationId)) ??
    (await overdueSeal(organizationId, seal?.position ?? 0n, now))
  return { count: Number(previous.position), sealed: Number(seal?.position ?? 0), fault }
}

/** Where the chain ends, and where it must. */
function faultOfEnd(head: ChainPlace | null, last: ChainPlace): Fault | null {
  if (!head)
    return last.position === 0n ? null : { position: Number(last.position), fault: "The end of the chain is missing." }
  if (head.position === last.position && equal(head.hash, last.hash)) return null
  const position = Number(last.position) + 1
  return { position, fault: `The chain ends at ${last.position} of ${head.position}: entries at the end were removed.` }
}

/** An entry that no link covers was added behind the back of the product. */
async function unchained(organizationId: string): Promise<Fault | null> {
  const entry = await unscoped().auditEntry.findFirst({
    where: { organizationId, link: null },
    orderBy: { id: "asc" },
    select: { id: true },
  })
  return entry && { position: 0, entryId: entry.id, fault: "The entry is not in the chain: it was added past it." }
}

async function overdueSeal(organizationId: string, sealed: bigint, now: Date): Promise<Fault | null> {
  const link = await unscoped().auditLink.findFirst({
    where: {
      organizationId,
      position: { gt: sealed },
      entryId: { lt: firstIdAt(new Date(now.getTime() - sealedWithinMs)) },
    },
    orderBy: { position: "asc" },
    select: { position: true, entryId: true },
  })
  const fault = "The entry has no seal after an hour: the worker has not run, or does not seal what does not fit."
  return link && { position: Number(link.position), entryId: link.entryId, fault }
}

/** A seal that was removed is missing in the sum of all. Both are read as of one moment. */
async function faultOfTotal(): Promise<Fault | null> {
  const [total, sums] = await unscoped().$transaction(
    [
      unscoped().auditSealTotal.findUnique({ where: { id: 1 } }),
      unscoped().auditSeal.aggregate({ _count: true, _sum: { position: true } }),
    ],
    { isolationLevel: "RepeatableRead" },
  )
  const found = { organizations: sums._count, entries: sums._sum.position ?? 0n }
  if (!total) {
    const fault = "The sum of the seals is missing."
    return found.organizations > 0 ? { position: 0, fault } : null
  }
  if (!isGenuineTotal(total))
    return { position: 0, fault: "The sum of the seals was not made with this installation's key." }
  if (total.organizations === found.organizations && total.entries === found.entries) return null
  const fault = `There are ${found.organizations} seals of ${found.entries} entries, and were ${total.organizations} of ${total.entries}: a seal was removed or moved back.`
  return { position: 0, fault }
}

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

function isGenuineTotal({ organizations, entries, mac }: Total): boolean {
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
 * @returns whether there may be more, or that another worker is at it
 */
export function sealAuditLog(now: Date): Promise<"sealed" | "more" | "busy"> {
  return unscopedTransaction(async (tx) => {
    if (!(await tryLock("audit seals", tx))) return "busy"
    const stored = await tx.auditSealTotal.findUnique({ where: { id: 1 } })
    if (stored ? !isGenuineTotal(stored) : (await tx.auditSeal.count()) > 0) {
      refuse("The sum of the seals is missing, or was not made with this installation's key.")
      return "sealed"
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
    const result = chains.length > chainsMax || left <= 0 ? "more" : "sealed"
    if (result === "more") allSeenAt = -Infinity
    const due = !stored?.loggedAt || now.getTime() - stored.loggedAt.getTime() >= logEveryMs
    if (chains.length === 0 && !(due && stored)) return result
    const row = { ...total, mac: new Uint8Array(macOfTotal(total.organizations, total.entries)) }
    const loggedAt = due ? now : (stored?.loggedAt ?? null)
    await tx.auditSealTotal.upsert({
      where: { id: 1 },
      create: { id: 1, ...row, loggedAt },
      update: { ...row, loggedAt },
    })
    if (due) await writeToLog(tx, total, stored?.loggedAt ?? null)
    return result
  })
}

/**
 * Rounds of `sealAuditLog`: at most two reads tell whether anything was added since the last. Once an hour all is looked at.
 * @returns whether there may be more
 */
export function createSealing(): () => Promise<boolean> {
  let sealed: string | null = null
  let sealedAt = -Infinity
  return async () => {
    const now = new Date()
    const recent = await recentlyAdded(unscoped(), now)
    const heads = recent.length === 0 ? [] : await findHeads(unscoped(), { organizationId: { in: recent } })
    const added = heads.map(({ organizationId, position }) => `${organizationId} ${position}`).join()
    if (added === sealed && now.getTime() - sealedAt < allEveryMs) return false
    const result = await sealAuditLog(now)
    if (result === "sealed") {
      sealed = added
      sealedAt = now.getTime()
    }
    return result === "more"
  }
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
  const where = isAll ? {} : { organizationId: { in: await recentlyAdded(tx, now) } }
  const heads = await findHeads(tx, where)
  const seals = await tx.auditSeal.findMany({ where, select: { organizationId: true, position: true } })
  const sealed = new Map(seals.map(({ organizationId, position }) => [organizationId, position]))
  return heads.filter(
    ({ organizationId, position }) => position > (sealed.get(organizationId) ?? 0n) && !refused.has(organizationId),
  )
}

/** Organizations with entries of the last minutes. */
async function recentlyAdded(on: Pick<Prisma.TransactionClient, "auditEntry">, now: Date): Promise<string[]> {
  const id = { gte: firstIdAt(new Date(now.getTime() - recentMs)) }
  const rows = await on.auditEntry.groupBy({ by: ["organizationId"], where: { id } })
  return rows.map(({ organizationId }) => organizationId)
}

function findHeads(on: Pick<Prisma.TransactionClient, "auditHead">, where: Prisma.AuditHeadWhereInput) {
  const select = { organizationId: true, position: true }
  return on.auditHead.findMany({ where, select, orderBy: { organizationId: "asc" } })
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
function faultOfSeal(seal: Seal, end: ChainPlace, hashAt: Uint8Array | null): Fault | null {
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

export type Link = {
  organizationId: string
  position: bigint
  entryId: string
  previousHash: Uint8Array
  hash: Uint8Array
  /** Null where the entry is missing. */
  content: Uint8Array | null
}

/** A place in a chain: all up to it is known to fit. */
type ChainPlace = { position: bigint; hash: Uint8Array }

const chainStart: ChainPlace = { position: 0n, hash: new Uint8Array() }

/** Where a chain no longer fits. */
type Fault = { position: number; entryId?: string; fault: string }

/** Links read at once. */
const linksMax = 5_000

/** Raw, because Prisma cannot call the function that writes an entry's content. */
function linksAfter(
  on: Prisma.TransactionClient,
  organizationId: string,
  position: bigint,
  last: bigint | null,
): Promise<Link[]> {
  // Organizations are above projects: of all projects.
  return on.$queryRaw<Link[]>`
    SELECT l.organization_id AS "organizationId", l.position, l.entry_id AS "entryId", l.previous_hash AS "previousHash",
        l.hash, CASE WHEN e.id IS NULL THEN NULL ELSE audit_entry_content(l.position, e) END AS content
      FROM audit_links l LEFT JOIN audit_entries e ON e.id = l.entry_id AND e.organization_id = l.organization_id
      WHERE l.organization_id = ${organizationId}::uuid AND l.position > ${position}
        AND (${last}::bigint IS NULL OR l.position <= ${last}::bigint)
      ORDER BY l.position LIMIT ${linksMax}`
}

/** Follows links from a place: the last place up to which they fit, and the fault of the first that does not. */
function follow(links: readonly Link[], from: ChainPlace): { place: ChainPlace; fault: Fault | null } {
  let place = from
  for (const link of links) {
    const fault = faultOf(link, place)
    if (fault) return { place, fault }
    place = link
  }
  return { place, fault: null }
}

function faultOf(link: Link, previous: ChainPlace): Fault | null {
  const at = { position: Number(link.position), entryId: link.entryId }
  if (link.position !== previous.position + 1n)
    return { position: Number(previous.position) + 1, fault: "The link at this position is missing." }
  if (!link.content) return { ...at, fault: "The entry was removed." }
  if (!equal(link.previousHash, previous.hash)) return { ...at, fault: "The link does not follow the one before." }
  const hash = createHash("sha256").update(previous.hash).update(link.content).digest()
  return equal(link.hash, hash) ? null : { ...at, fault: "The entry was changed or moved." }
}

function equal(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.from(one).equals(Buffer.from(other))
}
