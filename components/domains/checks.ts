import { recordTitles, type Words } from "@/components/domains/statuses"
import type { DomainCheck } from "@/components/domains/types"

/** One line in the history of checks. */
export type CheckLine = Pick<Words, "tone" | "word"> & { key: string; at: string; text: string }

/**
 * The checks as lines, newest first: one for each change, or one that says there was none. `more`: earlier checks exist,
 * so the last one is not compared with a new domain.
 */
export function checkLines(checks: DomainCheck[], more = false): CheckLine[] {
  return checks.flatMap((check, index) => linesOf(check, checks.slice(index + 1), more))
}

/** `earlier` are the checks before this one, newest first. */
function linesOf({ at, status, changes }: DomainCheck, earlier: DomainCheck[], more: boolean): CheckLine[] {
  const lines = changes.map((change): CheckLine => {
    const name = titles[change.record] ?? change.record
    const key = `${at} ${change.record}`
    if (change.status === "verified") return { key, at, tone: "good", word: "Found", text: `${name} found` }
    if (change.likelyCause)
      return { key, at, tone: "warn", word: "Wrong record", text: `${name}: ${change.likelyCause.message}` }
    if (change.status === "failed")
      return { key, at, tone: "bad", word: "Missing", text: `${name} was not in place for 72 hours` }
    const last = earlier.flatMap((check) => check.changes).find(({ record }) => record === change.record)
    return last?.status === "verified"
      ? { key, at, tone: "warn", word: "Missing", text: `${name} is no longer found` }
      : { key, at, tone: "wait", word: "Not found", text: `${name} not found` }
  })
  const before = earlier[0]?.status ?? (more ? status : "pending")
  const whole = status === before ? undefined : domainLine(at, status)
  if (whole) lines.unshift(whole)
  if (lines.length > 0) return lines
  const first = earlier.length === 0 && !more
  return first
    ? [{ key: at, at, tone: "wait", word: "Not found", text: "First check: no records yet" }]
    : [{ key: at, at, tone: "wait", word: "No change", text: "Nothing changed" }]
}

function domainLine(at: string, status: string): CheckLine | undefined {
  const key = `${at} domain`
  if (status === "verified")
    return { key, at, tone: "good", word: "Verified", text: "The domain is verified: you can send from it" }
  if (status === "degraded")
    return {
      key,
      at,
      tone: "warn",
      word: "Degraded",
      text: "A required record is missing; you can still send for 72 hours",
    }
  if (status === "failed")
    return { key, at, tone: "bad", word: "Failed", text: "Required records were missing for 72 hours; you cannot send" }
  return undefined
}

const titles: Record<string, string> = recordTitles
