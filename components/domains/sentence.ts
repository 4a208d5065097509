import type { Domain } from "@/components/domains/queries"
import { recordGroups, type RecordKey, type ShownRecord, zoneOf } from "@/components/domains/records"
import { isDifferent, isNeeded, isWrong, lacking } from "@/components/domains/statuses"
import { dateWords } from "@/components/ui/time-words"
import type { Tone } from "@/components/ui/pill"
import { sandboxOf, waitsForInstallation } from "@/lib/domains/rules"

export type Sentence = {
  tone: Tone
  /** What is true now. */
  text: string
  /** What it means, or what to do about it. */
  detail: string
  /** Of the records that a domain needs, the standby key among them. */
  found: boolean[]
  /** The one record that it says to publish or to change. */
  named?: RecordKey | undefined
}

/** The state of a domain in a sentence. */
export function domainSentence(domain: Domain, timeZone = "UTC"): Sentence {
  const asked = askedRecords(domain)
  return { ...stateOf(domain, asked, timeZone), named: namedRecord(domain, asked) }
}

function stateOf(domain: Domain, asked: ShownRecord[], timeZone: string): Sentence {
  const found = asked.map(({ status }) => status === "verified")
  const count = found.filter(Boolean).length
  const all = asked.length
  const words = `${count} of ${all} records found.`
  const mistake = asked.find((record) => record.status !== "verified" && record.likelyCause)?.likelyCause
  const advice = sharedAdvice(domain) || (mistake ? `${mistake.message} ${mistake.fix}` : "")
  const waits = waitsForInstallation(domain)

  if (domain.status === "failed") {
    const todo = waits
      ? "Publish the records once this installation can send."
      : `Publish the records, then select Verify now. ${advice}`
    const detail = `Not in place for 72 hours: ${lacking(domain).join(", ")}. ${todo}`
    return { tone: "bad", text: `Nothing is sent from ${domain.domain}.`, detail: detail.trim(), found }
  }
  if (domain.status === "degraded") {
    const titles = lacking(domain)
    const them = titles.length === 1 ? "it" : "them"
    const lost = asked.filter((record) => record.status !== "verified" && !record.standby)
    const allWrong = lost.length > 0 && lost.every(isWrong)
    const detail = waits
      ? `Publish ${them} once this installation can send; the domain then recovers by itself.`
      : `${allWrong ? `Correct ${them}` : `Publish ${them} again`} and the domain recovers by itself. ${advice}`
    return { tone: "warn", text: lostText(titles, allWrong ? "wrong" : "missing"), detail: detail.trim(), found }
  }
  if (domain.status === "verified") {
    const renamed = asked.filter(({ oldValue }) => oldValue !== undefined)
    if (renamed.length > 0) return { ...renamedText(domain, renamed.length, timeZone), found }
    const where =
      sandboxOf(domain) === "captured"
        ? "Its email is kept in the sandbox mailbox."
        : `Use any address at ${domain.domain} as the sender.`
    const standby =
      count < all
        ? " The standby key is missing: publish it too, so that you can rotate the key without a DNS change."
        : ""
    return { tone: "good", text: `${words} You can send from ${domain.domain}.`, detail: where + standby, found }
  }
  if (count > 0 || advice)
    return { tone: "warn", text: words, detail: advice || "The rest is still missing; we keep checking.", found }
  if (sandboxOf(domain) === "answered") {
    const detail =
      "Nothing to do: the sandbox publishes the records of .test domains a few seconds after they are added."
    return { tone: "wait", text: "No records found yet.", detail, found }
  }
  const optional = recordGroups(domain).flatMap(({ records }) => records).length - all
  const rest =
    optional === 0 ? "" : optional === 1 ? " (the other is optional)" : ` (the other ${optional} are optional)`
  const at = domain.provider ? `at ${domain.provider.name}` : "at your DNS provider"
  return {
    tone: "wait",
    text: "No records found yet.",
    detail: `Add ${optional === 0 ? "these" : "the first"} ${all} ${at}${rest}; we check automatically.`,
    found,
  }
}

function askedRecords(domain: Domain): ShownRecord[] {
  const records = recordGroups(domain).flatMap((group) => group.records)
  return records.filter((record) => isNeeded(record) || record.standby)
}

/** The record with the mistake that is said, or the only one that is missing; none where records share a mistake. */
function namedRecord(domain: Domain, asked: ShownRecord[]): RecordKey | undefined {
  if (sharedCause(domain) || waitsForInstallation(domain)) return undefined
  const lost = domain.status === "degraded" || domain.status === "failed"
  const open = asked.filter(({ status, standby }) => status !== "verified" && !(lost && standby))
  return (open.find(({ likelyCause }) => likelyCause) ?? (open.length === 1 ? open[0] : undefined))?.key
}

/** A verified domain after the installation changed its names: what it was verified with counts for a while. */
function renamedText(
  { domain, oldRecordsCountUntil }: Domain,
  count: number,
  timeZone: string,
): Omit<Sentence, "found"> {
  const until = oldRecordsCountUntil
    ? ` until ${dateWords(oldRecordsCountUntil, { day: "numeric", month: "long", year: "numeric", timeZone })}`
    : " for 14 days"
  const them = count === 1 ? "A record has a new value" : `${count} records have new values`
  return {
    tone: "warn",
    text: `${them}. You can send from ${domain}.`,
    detail: `This installation has a new name or sends in another way, which changes these records. Replace what is published with the values below: the old ones count${until}.`,
  }
}

function lostText(titles: string[], state: "missing" | "wrong"): string {
  return `${titles.length === 1 ? "A record is" : `${titles.length} records are`} ${state}: ${titles.join(", ")}.`
}

/** The mistake that all wrong records share and what to do about it, in words that hold for each; else empty. */
export function sharedAdvice(domain: Domain): string {
  const shared = sharedCause(domain)
  if (shared?.code === "doubled-zone")
    return `Your DNS provider added ${zoneOf(domain)} to these hosts again. Leave it out when you enter them.`
  return shared ? `${shared.message} ${shared.fix}` : ""
}

/** The mistake that all wrong records have in common, where there are several: it is said once. */
export function sharedCause(domain: Domain): ShownRecord["likelyCause"] {
  const wrong = recordGroups(domain)
    .flatMap((group) => group.records)
    .filter(isDifferent)
  const [first, ...others] = wrong.map(({ likelyCause }) => likelyCause)
  if (!first || others.length === 0) return undefined
  return others.every((cause) => cause?.code === first.code) ? first : undefined
}

/** A piece of a sentence; `code` is a host or name as one types it. */
export type SentencePart = { text: string; code: boolean }

/** Names with a dot inside, and a host: "Enter send as the host." */
const typed = /(?<=\bto the host |\bEnter )[\w@*-]+(?:\.[\w-]+)*|[\w:@-]+(?:\.[\w-]+)+/g

/** A sentence about the DNS in pieces, so that what to type can be set as code. */
export function proseOf(sentence: string): SentencePart[] {
  const pieces: SentencePart[] = []
  let at = 0
  for (const match of sentence.matchAll(typed)) {
    if (match.index > at) pieces.push({ text: sentence.slice(at, match.index), code: false })
    pieces.push({ text: match[0], code: true })
    at = match.index + match[0].length
  }
  if (at < sentence.length) pieces.push({ text: sentence.slice(at), code: false })
  return pieces
}
