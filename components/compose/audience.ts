"use client"

import { useQuery } from "@tanstack/react-query"
import { audienceIn, topicIn } from "@/components/compose/addresses"
import type { ComposeCheck } from "@/components/compose/check"
import type { Fields } from "@/components/compose/fields"
import { problemOf } from "@/components/data/call"
import { allSegmentsQuery, type SegmentPreview, segmentPreviewQuery, topicsQuery } from "@/components/segments/queries"
import { formatNumber } from "@/lib/platform/format"

/** The topics and segments that may be in To. */
export function useAudiences(projectId: string): { id: string; name: string; kind: "Segment" | "Topic" }[] {
  const segments = useQuery(allSegmentsQuery(projectId)).data?.data ?? []
  const topics = useQuery(topicsQuery(projectId)).data?.data ?? []
  return [
    ...segments.map(({ id, name }) => ({ id, name, kind: "Segment" as const })),
    ...topics.map(({ id, name }) => ({ id, name, kind: "Topic" as const })),
  ]
}

/** The audience of a send to the topic or segment in To, optionally limited to a topic; undefined if To has addresses. */
export function useAudience(projectId: string, to: string, topicId: string): ChosenAudience | undefined {
  const id = audienceIn(to)
  const names = useAudiences(projectId)
  const { data, error } = useQuery({
    ...segmentPreviewQuery(projectId, askedOf(to, topicId)),
    placeholderData: undefined,
  })
  if (id === null) return undefined
  const name = names.find((one) => one.id === id)?.name
  return {
    id,
    ...(data ? { preview: data } : {}),
    ...(error ? { refused: problemOf(error).errors?.[0]?.detail ?? problemOf(error).title } : {}),
    ...(name === undefined ? {} : { name }),
  }
}

/** The topic or segment that the email goes to, and what is known of it. */
export type ChosenAudience = { id: string; preview?: SegmentPreview; refused?: string; name?: string }

/** The audience to preview: the id in To, for the chosen topic; null where To holds addresses. */
export function askedOf(to: string, topicId: string): { segmentId?: string; topicId?: string } | null {
  const id = audienceIn(to)
  if (id === null) return null
  if (topicIn(to)) return { topicId: id }
  return { segmentId: id, ...(topicId ? { topicId } : {}) }
}

const left: Record<SegmentPreview["excluded"][number]["reason"], string> = {
  unsubscribed: "unsubscribed",
  suppressed: "suppressed",
  no_opt_in: "not opted in",
}

/** Who will get the email and who is excluded. */
export function audienceCheck(
  { id, preview, refused, name = id }: ChosenAudience,
  when: Fields["when"] = "now",
): ComposeCheck {
  const base = { id: "recipients", field: "to" as const }
  if (refused) return { ...base, tone: "bad", title: "Topic or segment not found", detail: refused, allowed: true }
  if (!preview) return { ...base, tone: "wait", title: "Members not counted yet", allowed: true }
  const { sendable, exact } = preview
  const detail = [excludedWords(preview), "One message each; none of them sees the others."].filter(Boolean).join(" ")
  if (sendable === 0)
    return {
      ...base,
      // Somebody may be in it by then, or was not counted.
      tone: when === "later" || !exact ? "warn" : "bad",
      title: `No one in ${name} can get email`,
      detail: excludedWords(preview) || "It has no members.",
    }
  const count = `${exact ? "" : "At least "}${formatNumber(sendable)}`
  const title = `${count} ${sendable === 1 ? "member" : "members"} of ${name}`
  return { ...base, tone: preview.excluded.some(({ count }) => count) ? "warn" : "good", title, detail }
}

/** The first of each reason by their address: more would bury what is said of them. */
function excludedWords({ excluded }: SegmentPreview): string {
  const parts = excluded
    .filter(({ count }) => count > 0)
    .map(({ reason, count, sample }) => {
      const shown = sample.slice(0, 2).join(", ")
      return `${formatNumber(count)} ${left[reason]} (${shown}${count > 2 ? ", …" : ""})`
    })
  return parts.length ? `Excluded: ${parts.join("; ")}.` : ""
}
