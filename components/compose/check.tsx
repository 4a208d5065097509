import type { Tone } from "@/components/ui/pill"
import type { Fields } from "@/components/compose/fields"

/** `bad` would be refused, `warn` is worth a thought, `wait` is not known or not filled in yet. */
export type ComposeCheck = {
  id: string
  tone: Tone
  title: string
  detail?: string
  fix?: "text" | "domains"
  field?: FieldName
  /** The API is asked all the same: it knows better, or it would take it. */
  allowed?: true
}
export type FieldName = keyof Fields

/** Whether the sender is asked before the email leaves in spite of it. */
export const needsQuestion = ({ tone }: ComposeCheck) => tone === "warn" || tone === "bad"

export type CheckedRecipient = {
  address: string
  state: "sendable" | "suppressed" | "invalid" | "unknown"
  reason?: string
  detail?: string
}

/** What is worth a thought before it is sent. */
export function OpenChecks({ checks }: { checks: readonly Pick<ComposeCheck, "id" | "title" | "detail">[] }) {
  if (checks.length === 0) return null
  return (
    <ul aria-label="Open checks" className="mt-3 grid gap-2">
      {checks.map(({ id, title, detail }) => (
        <li key={id} className="flex gap-2.5">
          <span aria-hidden="true" className="mt-1.5 size-2 shrink-0 rounded-full bg-warn" />
          <span className="min-w-0">
            <b className="block font-medium text-text">{title}</b>
            {detail}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** Says before a broadcast is sent that its results will not have what nobody turned on; afterwards it is too late. */
export function clicksCheck(
  { html, text, tracking }: Fields,
  { audience, tracksClicks }: { audience?: unknown; tracksClicks?: boolean },
): ComposeCheck | null {
  const chosen = tracking.clickTracking !== ""
  if (!audience || chosen || tracksClicks !== false || !/\bhttps?:\/\//i.test(`${html} ${text}`)) return null
  return {
    ...{ id: "clicks", tone: "wait", allowed: true, title: "Clicks are not tracked" },
    detail: "The results will not say who clicked which link. To see that, turn on Track clicks under More fields.",
  }
}
