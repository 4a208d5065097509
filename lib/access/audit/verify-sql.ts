import { createHash } from "node:crypto"
import { unscoped } from "@/lib/platform/database/db"

/** Where a chain no longer fits: the position, the entry if it is known, and what is wrong. */
export type ChainFault = { organizationId: string; position: number; entryId?: string; fault: string }

export type ChainVerdict = { organizations: number; entries: number; faults: ChainFault[] }

type Link = {
  organizationId: string
  position: bigint
  entryId: string
  previousHash: Uint8Array
  hash: Uint8Array
  /** Null where the entry is missing. */
  content: Uint8Array | null
}

const batch = 5_000

/**
 * Recomputes the chain of every organization, of all projects, and compares it with the entries and with its end. Names
 * the first fault of each chain. Entries that are added meanwhile are not read: an entry and its link are one commit.
 */
export async function verifyAuditLog(): Promise<ChainVerdict> {
  const organizations = await organizationsWithEntries()
  const verdict: ChainVerdict = { organizations: organizations.length, entries: 0, faults: [] }
  for (const organizationId of organizations) {
    const { count, fault } = await verifyChain(organizationId)
    verdict.entries += count
    if (fault) verdict.faults.push({ organizationId, ...fault })
  }
  return verdict
}

/** Those with an entry, a link or an end of a chain, in order. */
async function organizationsWithEntries(): Promise<string[]> {
  const by = { by: ["organizationId" as const] }
  const rows = await Promise.all([
    unscoped().auditEntry.groupBy(by),
    unscoped().auditLink.groupBy(by),
    unscoped().auditHead.groupBy(by),
  ])
  return [...new Set(rows.flat().map(({ organizationId }) => organizationId))].sort()
}

async function verifyChain(organizationId: string): Promise<{ count: number; fault: Fault | null }> {
  const head = await unscoped().auditHead.findUnique({ where: { organizationId } })
  let previous: End = { position: 0n, hash: new Uint8Array() }
  for (;;) {
    const links = await linksAfter(organizationId, previous.position, head?.position ?? null)
    for (const link of links) {
      const fault = faultOf(link, previous)
      if (fault) return { count: Number(previous.position), fault }
      previous = link
    }
    if (links.length < batch) break
  }
  return { count: Number(previous.position), fault: faultOfEnd(head, previous) ?? (await unchained(organizationId)) }
}

type End = { position: bigint; hash: Uint8Array }
type Fault = Omit<ChainFault, "organizationId">

function faultOf(link: Link, previous: End): Fault | null {
  const at = { position: Number(link.position), entryId: link.entryId }
  if (link.position !== previous.position + 1n)
    return { position: Number(previous.position) + 1, fault: "The link at this position is missing." }
  if (!link.content) return { ...at, fault: "The entry was removed." }
  if (!equal(link.previousHash, previous.hash)) return { ...at, fault: "The link does not follow the one before." }
  const hash = createHash("sha256").update(previous.hash).update(link.content).digest()
  return equal(link.hash, hash) ? null : { ...at, fault: "The entry was changed or moved." }
}

/** Raw, because Prisma cannot call the function that writes an entry's content. */
function linksAfter(organizationId: string, position: bigint, last: bigint | null): Promise<Link[]> {
  // Organizations are above projects: of all projects.
  return unscoped().$queryRaw<Link[]>`
    SELECT l.organization_id AS "organizationId", l.position, l.entry_id AS "entryId", l.previous_hash AS "previousHash",
        l.hash, CASE WHEN e.id IS NULL THEN NULL ELSE audit_entry_content(l.position, e) END AS content
      FROM audit_links l LEFT JOIN audit_entries e ON e.id = l.entry_id AND e.organization_id = l.organization_id
      WHERE l.organization_id = ${organizationId}::uuid AND l.position > ${position}
        AND (${last}::bigint IS NULL OR l.position <= ${last}::bigint)
      ORDER BY l.position LIMIT ${batch}`
}

/** Where the chain ends, and where it must. */
function faultOfEnd(head: End | null, last: End): Fault | null {
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

function equal(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.from(one).equals(Buffer.from(other))
}
