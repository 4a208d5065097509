import { formatNumber } from "@/lib/platform/format"
import type { Preview } from "@/components/segments/queries"
import { audienceIn, topicIn } from "@/components/compose/addresses"
import type { Check } from "@/components/compose/check"

/** The topic or segment that the email goes to, and what is known of it. */
export type Audience = { id: string; preview?: Preview; refused?: string; name?: string }

/** The audience to preview: the id in To, for the chosen topic; null where To holds addresses. */
export function askedOf(to: string, topicId: string): { segmentId?: string; topicId?: string } | null {
  const id = audienceIn(to)
  if (id === null) return null
  if (topicIn(to)) return { topicId: id }
  return { segmentId: id, ...(topicId ? { topicId } : {}) }
}

const left: Record<Preview["excluded"][number]["reason"], string> = {
  unsubscribed: "unsubscribed",
  suppressed: "suppressed",
  no_opt_in: "not opted in",
}

/** Who will get the email and who is excluded. */
export function audienceCheck({ id, preview, refused, name = id }: Audience): Check {
  const base = { id: "recipients", field: "to" as const }
  if (refused) return { ...base, tone: "bad", title: "Topic or segment not found", detail: refused, allowed: true }
  if (!preview) return { ...base, tone: "wait", title: "Members not counted yet", allowed: true }
  const { sendable, exact } = preview
  const detail = [excludedWords(preview), "One message each; none of them sees the others."].filter(Boolean).join(" ")
  if (sendable === 0)
    return {
      ...base,
      tone: "bad",
      title: `No one in ${name} can get email`,
      detail: excludedWords(preview) || "It has no members.",
      allowed: true,
    }
  const count = `${exact ? "" : "At least "}${formatNumber(sendable)}`
  const title = `${count} ${sendable === 1 ? "member" : "members"} of ${name}`
  return { ...base, tone: preview.excluded.some(({ count }) => count) ? "warn" : "good", title, detail }
}

/** The first of each reason by their address: more would bury what is said of them. */
function excludedWords({ excluded }: Preview): string {
  const parts = excluded
    .filter(({ count }) => count > 0)
    .map(({ reason, count, sample }) => {
      const shown = sample.slice(0, 2).join(", ")
      return `${formatNumber(count)} ${left[reason]} (${shown}${count > 2 ? ", …" : ""})`
    })
  return parts.length ? `Excluded: ${parts.join("; ")}.` : ""
}
