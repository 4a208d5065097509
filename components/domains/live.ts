import { domainSteps } from "@/components/domains/steps"
import type { Domain } from "@/components/domains/queries"

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
