import { cutText } from "@/lib/platform/text"

/** A record to publish, with what the last check found at its name. */
export type SeenRecord = {
  key: string
  type: string
  value: string
  priority?: number
  status?: string
  found?: string[]
  likelyCause?: { code: string; message: string; fix: string }
}

const shownMax = 200

/** What a DMARC record has to be where no value can be recommended: the policy that its owner wants cannot be read. */
export const dmarcSyntax = "v=DMARC1; p=none, quarantine or reject"

/** An alias takes the whole name: nothing can be added beside it (RFC 1034 3.6.2). */
const aliases = ["cname-in-the-way", "alias-loop", "dmarc-vendor-hosted"]

/**
 * Why this record must not simply be added to the zone, in a few words; null where it can. A second DMARC or SPF
 * record makes receivers ignore both (RFC 9989 4.7, RFC 7208 4.5), a second key or mail server leads some of them astray.
 */
export function conflictOf(record: SeenRecord): string | null {
  const { likelyCause, found = [], status } = record
  if (likelyCause && isAliased(record)) return `${likelyCause.message} ${likelyCause.fix}`
  const same = found.every((text) => text === written(record))
  // A policy may be published through a CNAME that we did not see: then even the same text must not be added.
  if (found.length === 0 || (same && record.key !== "dmarc")) return null
  const shown = found.map((text) => (text.length > shownMax ? `${cutText(text, shownMax)}…` : text)).join(" | ")
  return same || status === "verified" ? `already published: ${shown}` : `replaces the current record: ${shown}`
}

/** Something is published at the record's name, valid or not. */
export function isOccupied(record: Pick<SeenRecord, "status" | "found" | "likelyCause">): boolean {
  return record.status === "verified" || (record.found ?? []).length > 0 || isAliased(record)
}

function isAliased({ likelyCause }: Pick<SeenRecord, "likelyCause">): boolean {
  return likelyCause !== undefined && aliases.includes(likelyCause.code)
}

/** In the form in which checks store what they find. */
function written({ priority, value }: SeenRecord): string {
  return priority === undefined ? value : `${priority} ${value}`
}
