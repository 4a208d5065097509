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
