import { fieldLabel } from "@/components/compose/placeholders"
import type { CallAnswer } from "@/components/data/call"
import { formatNumber } from "@/lib/platform/format"

type Preview = CallAnswer<"POST /v1/projects/{projectId}/broadcasts/preview">

export type LackingValues = Pick<Preview, "lacking" | "sendable" | "complete">

/** For how many people a placeholder shows nothing; null where everyone has a value or gets a fallback. */
export function lackingCheck({ lacking, sendable, complete }: LackingValues): { title: string; detail: string } | null {
  const [first] = lacking
  if (!first) return null
  const of = `${complete ? "" : "the first "}${formatNumber(sendable)} ${sendable === 1 ? "recipient" : "recipients"}`
  const counts = lacking.map(({ key, count }) => `${fieldLabel(key)}: ${formatNumber(count)} of ${of}`)
  const detail = `${counts.join(". ")}. They see nothing there; add a fallback, as in {{contact.${first.key} | there}}.`
  return { title: "Recipients without a value", detail }
}
