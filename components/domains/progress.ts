import { recordGroups, type ShownRecord } from "@/components/domains/records"
import { dmarcWords, isWrong, newValue, trackingWords, type Words } from "@/components/domains/statuses"
import type { Domain } from "@/components/domains/queries"

type RecordStep = Words & { title: string; text: string }

/** The four parts of a sending domain, each with its state in a word. */
export function domainSteps(domain: Domain): RecordStep[] {
  const records = recordGroups(domain).flatMap((group) => group.records)
  const of = (...keys: ShownRecord["key"][]) => records.filter(({ key }) => keys.includes(key))
  return [
    { title: "DKIM", text: "Signs your mail", ...dkim(domain, of("dkim-a", "dkim-b")) },
    {
      title: "MAIL FROM",
      text: "Bounces return to this service",
      ...needed(domain, domain.mailFromStatus, of("mail-from-mx", "mail-from-spf")),
    },
    { title: "DMARC", text: "Recommended", ...dmarc(of("dmarc")) },
    { title: "Tracking", text: "Links on your own name", ...tracking(of("tracking")) },
  ]
}

function dkim(domain: Domain, records: ShownRecord[]): Words {
  if (domain.dkimStatus !== "verified") return needed(domain, domain.dkimStatus, records)
  const standby = records.every(({ status }) => status === "verified")
  const tip = standby
    ? "The key that signs is published, and so is its standby."
    : "The key that signs is published. Publish the standby too: then the key can be changed without touching the DNS."
  return { tone: "good", word: "Found", tip }
}

function needed(domain: Domain, status: string, records: ShownRecord[]): Words {
  const found = records.filter((record) => record.status === "verified").length
  if (records.some(({ oldValue }) => oldValue !== undefined)) return newValue
  if (status === "verified") return { tone: "good", word: "Found", tip: "Both records are in place." }
  if (status === "failed")
    return { tone: "bad", word: "Missing", tip: "Not in place for 72 hours, so nothing is sent." }
  const isDifferent = records.some(isWrong)
  if (domain.status === "degraded" && !isDifferent)
    return { tone: "warn", word: "Missing", tip: "It was in place and is no longer found." }
  if (domain.status !== "degraded" && found > 0)
    return { tone: "warn", word: `${found} of ${records.length} found`, tip: "The rest is still missing." }
  if (isDifferent)
    return { tone: "warn", word: "Wrong record", tip: "A different record was found. See the records below." }
  return { tone: "wait", word: "Not found", tip: "We keep checking." }
}

function dmarc([record]: ShownRecord[]): Words {
  const words = record && dmarcWords(record)
  if (words) return words
  if (record && isWrong(record))
    return { tone: "warn", word: "Wrong record", tip: "A different record was found. See the records below." }
  return { tone: "wait", word: "None", tip: "No policy applies yet. You can send without." }
}

function tracking([record]: ShownRecord[]): Words {
  const words = record && trackingWords(record)
  if (words) return words
  if (record && isWrong(record))
    return { tone: "warn", word: "Wrong record", tip: "A different record was found. See the records below." }
  return { tone: "wait", word: "None", tip: "Optional. Until then links carry the name of this service." }
}

/** While the owner pastes records, in milliseconds; only so long, because a page may stay open for days. */
const fastMs = 2_000
const slowMs = 15_000
const fastForMs = 10 * 60_000

/** How often a domain's page asks, `openMs` after it was opened. */
export function pollMs(status: string | undefined, openMs: number): number {
  return status === "pending" && openMs < fastForMs ? fastMs : slowMs
}

/** How often the list asks; false while nothing is waited for. */
export function listPollMs(statuses: string[]): number | false {
  return statuses.includes("pending") ? 5_000 : false
}

/** When the next scheduled check runs. `at` and `now` in milliseconds. */
export function nextCheckWords(at: number, now: number): string {
  const seconds = Math.ceil((at - now) / 1000)
  if (seconds <= 0) return "Checking now"
  if (seconds < 100) return `Next check in ${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 100 ? `Next check in ${minutes} min` : `Next check in ${Math.round(minutes / 60)} h`
}

/** What changed between two checks, as sentences for a screen reader. */
export function changesBetween(before: Domain, after: Domain): string[] {
  const earlier = domainSteps(before)
  const changed = domainSteps(after).filter(({ word }, index) => word !== earlier[index]?.word)
  const parts = changed.map(({ title, tone, word }) => (tone === "good" ? `${title} verified.` : `${title}: ${word}.`))
  if (before.status === after.status) return parts
  return [...parts, statusChange(after)]
}

function statusChange({ domain, status }: Domain): string {
  if (status === "verified") return `${domain} is verified. You can send from it.`
  if (status === "degraded") return `${domain} is degraded: a required record is missing.`
  return status === "failed" ? `${domain} has failed verification.` : `${domain} is pending again.`
}

/** The result of a check that somebody ran, in one sentence. */
export function liveOutcome(domain: Domain): string {
  const { verificationRecords: records, dkimStatus } = domain
  const needed = [dkimStatus, records.mailFromMx.status, records.mailFromSpf.status]
  const found = needed.filter((status) => status === "verified").length
  if (domain.status === "verified") return "All required records are in place."
  if (found === 0) return "None of the 3 required records is in place yet. We keep checking."
  return `${found} of the 3 required records ${found === 1 ? "is" : "are"} in place. We keep checking for the rest.`
}
