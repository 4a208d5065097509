import { recordTitles, type Words } from "@/components/domains/statuses"
import type { Look } from "@/components/domains/types"

/** One line in the history of looks. */
export type LookLine = Pick<Words, "tone" | "word"> & { key: string; at: string; text: string }

/**
 * The looks as lines, newest first: one for each thing that changed, or that nothing did. `more`: there are earlier
 * looks than these, so that the last one may be no turn of the domain.
 */
export function lookLines(looks: Look[], more = false): LookLine[] {
  return looks.flatMap((look, index) => linesOf(look, looks.slice(index + 1), more))
}

/** `earlier` are the looks before this one, newest first. */
function linesOf({ at, status, changes }: Look, earlier: Look[], more: boolean): LookLine[] {
  const lines = changes.map((change): LookLine => {
    const name = titles[change.record] ?? change.record
    const key = `${at} ${change.record}`
    if (change.status === "verified") return { key, at, tone: "good", word: "Verified", text: `${name} found` }
    if (change.mistake) return { key, at, tone: "warn", word: "Not yet", text: `${name}: ${change.mistake.sentence}` }
    if (change.status === "failed")
      return { key, at, tone: "bad", word: "Missing", text: `${name} was not in place for 72 hours` }
    const last = earlier.flatMap((look) => look.changes).find(({ record }) => record === change.record)
    return last?.status === "verified"
      ? { key, at, tone: "warn", word: "Vanished", text: `${name} is no longer found` }
      : { key, at, tone: "wait", word: "Waiting", text: `${name} not found` }
  })
  const before = earlier[0]?.status ?? (more ? status : "pending")
  const whole = status === before ? undefined : domainLine(at, status)
  if (whole) lines.unshift(whole)
  if (lines.length > 0) return lines
  return [{ key: at, at, tone: "wait", word: "No change", text: "Looked everything up: all as before" }]
}

function domainLine(at: string, status: string): LookLine | undefined {
  const key = `${at} domain`
  if (status === "verified")
    return { key, at, tone: "good", word: "Verified", text: "The domain is verified: you can send from it" }
  if (status === "degraded")
    return {
      key,
      at,
      tone: "warn",
      word: "Degraded",
      text: "A needed record has vanished; mail still leaves for 72 hours",
    }
  if (status === "failed")
    return { key, at, tone: "bad", word: "Failed", text: "Needed records were missing for 72 hours; nothing is sent" }
  return undefined
}

const titles: Record<string, string> = recordTitles
