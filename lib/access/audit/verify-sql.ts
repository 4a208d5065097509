import { hourMs } from "@/lib/platform/time"
import {
  chainStart,
  equal,
  follow,
  linksAfter,
  linksMax,
  type ChainPlace,
  type Fault,
} from "@/lib/access/audit/chain-sql"
import { faultOfSeal, isGenuineTotal } from "@/lib/access/audit/seals-sql"
import { unscoped } from "@/lib/platform/database/db"
import { firstIdAt } from "@/lib/platform/ids"

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
    (await unsealed(organizationId, seal?.position ?? 0n, now))
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

async function unsealed(organizationId: string, sealed: bigint, now: Date): Promise<Fault | null> {
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
