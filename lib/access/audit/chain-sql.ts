import { createHash } from "node:crypto"
import type { Prisma } from "@/prisma/generated/client"

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
export type ChainPlace = { position: bigint; hash: Uint8Array }

export const chainStart: ChainPlace = { position: 0n, hash: new Uint8Array() }

/** Where a chain no longer fits. */
export type Fault = { position: number; entryId?: string; fault: string }

/** Links read at once. */
export const linksMax = 5_000

/** Raw, because Prisma cannot call the function that writes an entry's content. */
export function linksAfter(
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
export function follow(links: readonly Link[], from: ChainPlace): { place: ChainPlace; fault: Fault | null } {
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

export function equal(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.from(one).equals(Buffer.from(other))
}
