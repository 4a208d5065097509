import { recordTitle, type Words, DomainStatusPill } from "@/components/domains/statuses"
import type { DomainCheck } from "@/components/domains/queries"
import { DayTime } from "@/components/data/clock-time"
import { Line, Lines } from "@/components/ui/timeline"

/** One line in the history of checks. */
type CheckLine = Pick<Words, "tone" | "word"> & { key: string; at: string; text: string }

/**
 * The checks as lines, newest first: one for changes of a kind, or one that says there was none. `more`: earlier checks exist,
 * so the last one is not compared with a new domain. `standby`: the DKIM key that does not sign, as in the records.
 */
export function checkLines(checks: DomainCheck[], more = false, standby?: string): CheckLine[] {
  return checks.flatMap((check, index) => linesOf(check, checks.slice(index + 1), more, standby))
}

/** `earlier` are the checks before this one, newest first. */
function linesOf(
  { at, status, changes }: DomainCheck,
  earlier: DomainCheck[],
  more: boolean,
  standby: string | undefined,
): CheckLine[] {
  const title = ({ record }: Change) => recordTitle(record, standby)
  const lines = groupsOf(changes, earlier).map(([change, ...same]): CheckLine => {
    const key = `${at} ${change.record}`
    const name = title(change)
    const names = listed([change, ...same].map(title))
    if (change.status === "verified") return { key, at, tone: "good", word: "Found", text: `${names} found` }
    if (change.likelyCause) {
      const others = same.length > 0 ? ` The same for ${listed(same.map(title))}.` : ""
      return { key, at, tone: "warn", word: "Needs a fix", text: `${name}: ${change.likelyCause.message}${others}` }
    }
    const were = same.length > 0 ? "were" : "was"
    const are = same.length > 0 ? "are" : "is"
    if (change.status === "failed")
      return { key, at, tone: "bad", word: "Missing", text: `${names} ${were} not in place for 72 hours` }
    return wasFound(change, earlier)
      ? { key, at, tone: "warn", word: "Missing", text: `${names} ${are} no longer found` }
      : { key, at, tone: "wait", word: "Not found", text: `${names} not found` }
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

type Change = DomainCheck["changes"][number]

/** The changes that one line can say together: the same state, and the same mistake. */
function groupsOf(changes: Change[], earlier: DomainCheck[]): [Change, ...Change[]][] {
  const groups = new Map<string, [Change, ...Change[]]>()
  for (const change of changes) {
    const kind = `${change.status} ${change.likelyCause?.code} ${wasFound(change, earlier)}`
    const group = groups.get(kind)
    if (group) group.push(change)
    else groups.set(kind, [change])
  }
  return [...groups.values()]
}

/** The check before had found the record. */
function wasFound({ record }: Change, earlier: DomainCheck[]): boolean {
  return earlier.flatMap((check) => check.changes).find((change) => change.record === record)?.status === "verified"
}

function listed(names: string[]): string {
  const last = names.at(-1) ?? ""
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${last}` : last
}

/** DNS checks, one line for each change. */
export function CheckLines({ lines }: { lines: CheckLine[] }) {
  return (
    <Lines label="Check results, newest first">
      {lines.map((line) => (
        <Line
          key={line.key}
          time={<DayTime at={line.at} />}
          aside={<DomainStatusPill words={{ ...line, tip: "" }} inTable />}
        >
          {line.text}
        </Line>
      ))}
    </Lines>
  )
}
