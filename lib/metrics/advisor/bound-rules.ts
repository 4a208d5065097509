/** Where mailbox providers begin to mind, and where they begin to refuse (protocol.md 31). */
export const complaintBounds = { warning: 0.001, critical: 0.003 }
export const bounceBounds = { warning: 0.02, critical: 0.05 }

/** On less no rate is judged (protocol.md 31). */
export const rateJudgedFrom = { sent: 200, delivered: 1_000, complaints: 3 }

export type JudgedCounts = { sent: number; reached: number; complained: number }

/** Whether there is enough to judge how many bounced. */
export function judgesBounces({ sent }: Pick<JudgedCounts, "sent">): boolean {
  return sent >= rateJudgedFrom.sent
}

/** Whether there is enough to judge how many complained, of those that email reached. */
export function judgesComplaints({ reached, complained }: Omit<JudgedCounts, "sent">): boolean {
  return reached >= rateJudgedFrom.delivered && complained >= rateJudgedFrom.complaints
}
