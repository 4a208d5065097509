import type { CheckState, SetupCode, SetupKind, SetupState } from "@/lib/delivery/setup/schema"
import type { Checked } from "@/lib/delivery/setup/types"

/** What is kept of the checks of a row. */
export type KeptCheck = Checked & {
  /** When it was answered last. */
  checkedAt: Date
  /** When a later check got no answer. */
  unansweredAt: Date | null
  redSince: Date | null
}

const unanswered: SetupCode = "lookup_failed"
const silent: readonly (SetupCode | undefined)[] = [unanswered, "not_checked"]

/** What is kept after a check: one without an answer says nothing, so the row keeps the state that it had. */
export function keptAfter(before: KeptCheck | null, checked: Checked, now: Date): KeptCheck {
  const isAnswered = checked.code !== unanswered
  if (!isAnswered && before !== null && !silent.includes(before.code)) return { ...before, unansweredAt: now }
  const redSince = checked.state === "wrong" ? (before?.redSince ?? now) : null
  return { ...checked, checkedAt: now, unansweredAt: null, redSince }
}

/** The state of a row that an operator may have confirmed: done, for what is done by hand, else overridden unless it is right. */
export function shownState(kind: SetupKind, state: CheckState, isConfirmed: boolean): SetupState {
  if (!isConfirmed || state === "ok") return state
  return kind === "by_hand" ? "ok" : "overridden"
}

/** Whether email may go to others: no required row lacks anything, but for what an operator overrides. */
export function isReady(rows: readonly { kind: SetupKind; state: SetupState }[]): boolean {
  return rows.every(({ kind, state }) => kind !== "required" || state === "ok" || state === "overridden")
}
