import { recordGroups, type ShownRecord } from "@/components/domains/records"
import type { Domain } from "@/components/domains/queries"

/** The records to have in the DNS now: a new key waits until the one it replaces need not stay any longer. */
export function recordsToHave(domain: Pick<Domain, "verificationRecords">, now: number): ShownRecord[] {
  return (
    recordGroups(domain)
      .flatMap(({ records }) => records)
      // Nothing is created where nothing can be recommended.
      .filter(({ value }) => value !== "")
      .filter(({ retired }) => !retired || Date.parse(retired.keepUntil) <= now)
  )
}

/** A text as quoted strings of at most 255 octets, as zone files and DNS services want it (RFC 1035 3.3.14, 5.1). */
export function quotedStrings(text: string, between = " "): string {
  const pieces = text.match(/[^]{1,255}/g) ?? [""]
  return pieces.map((piece) => `"${piece.replace(/[\\"]/g, "\\$&")}"`).join(between)
}

/** What the record is for, as a comment or a resource's name: `mail_from_spf`. */
export function labelOf({ key }: ShownRecord): string {
  return key.replaceAll("-", "_")
}
