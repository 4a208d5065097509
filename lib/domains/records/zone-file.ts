import { type ToldCause, causeWords } from "@/lib/explanation/record-words"
import type { ExpectedRecord, WatchedRecord } from "@/lib/domains/records/records"
import { mustStay } from "@/lib/domains/keys/dkim-keys"
import { conflictOf, dmarcSyntax } from "@/lib/domains/rules"

type ZoneFileRecord = ExpectedRecord & Partial<Pick<WatchedRecord, "retired" | "status" | "found" | "likelyCause">>

/** Seconds; short, so that a fix takes effect within minutes. */
const ttl = 300

/** The largest character-string of a TXT record, in octets (RFC 1035 3.3.14). */
const stringMax = 255

/**
 * The records as a zone file in BIND's notation (RFC 1035 5), ready for an import at a DNS provider. An import only ever
 * adds: a record that would conflict with an existing one is written as a comment. `warning` goes before everything else.
 */
export function zoneFile(domain: string, records: ZoneFileRecord[], now: Date, warning: string | null = null): string {
  const lines = records.map((stored) => {
    const { likelyCause, ...seen } = stored
    const record = likelyCause ? { ...seen, likelyCause: causeWords(likelyCause) } : seen
    if (record.value === "") return unreadable(record)
    const line = `${record.name}. ${ttl} IN ${record.type} ${value(record)}`
    // Imported too early it would take the place of a key that mail on its way still needs.
    if (record.retired && mustStay(record, now)) return `; from ${record.retired.keepUntil.slice(0, 10)} on:\n; ${line}`
    const reason = conflictOf(record)
    if (reason !== null) return `; ${reason}\n; ${line}`
    return record.optional ? `; recommended, not required\n${line}` : line
  })
  const head = [`; Records to send as ${domain}`, ...(warning === null ? [] : [`; ${warning}`])]
  return [...head, `$ORIGIN ${domain}.`, ...lines, ""].join("\n")
}

/** A policy that cannot be read is not replaced by another one. */
function unreadable({ name, likelyCause }: { name: string; likelyCause?: ToldCause }): string {
  return `; ${name}: ${likelyCause ? `${likelyCause.message} ${likelyCause.fix}` : dmarcSyntax}`
}

function value(record: ExpectedRecord): string {
  if (record.type === "MX") return `${record.priority ?? 10} ${record.value}.`
  if (record.type === "CNAME") return `${record.value}.`
  return txtStrings(record.value).map(quoted).join(" ")
}

/** A long text in the pieces in which a TXT record carries it. All our texts are ASCII, so characters are octets. */
export function txtStrings(text: string): string[] {
  const pieces: string[] = []
  for (let at = 0; at < text.length; at += stringMax) pieces.push(text.slice(at, at + stringMax))
  return pieces.length > 0 ? pieces : [""]
}

function quoted(piece: string): string {
  return `"${piece.replace(/[\\"]/g, "\\$&")}"`
}
