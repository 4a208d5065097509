import { emailStatuses, type EmailStatus } from "@/lib/emails/message-rules"

/** How far a mail has come; a status only ever moves up this ladder. */
const ladder = [
  "scheduled",
  "queued",
  "sending",
  "delivery_delayed",
  "sent",
  "delivered",
  "opened",
  "clicked",
  "complained",
] as const satisfies readonly EmailStatus[]

const ladderRank: ReadonlyMap<EmailStatus, number> = new Map(ladder.map((status, rank) => [status, rank]))
const rankOfSent = ladder.indexOf("sent")
const rankOfDelivered = ladder.indexOf("delivered")

/** What a finished email is called when nobody got it: the first of these that any recipient has. */
const ends = [
  "bounced",
  "failed",
  "rejected",
  "suppressed",
  "cancelled",
  "test",
] as const satisfies readonly EmailStatus[]

/** Failed tries after which a waiting mail is called delayed. */
export const delayedAfterTries = 3

/** The status of a mail that waits for its next try, after so many failed ones. */
export function statusBetweenTries(failedTries: number): "sending" | "delivery_delayed" {
  return failedTries >= delayedAfterTries ? "delivery_delayed" : "sending"
}

/**
 * The status after this news. News may come late, twice and out of order: what would lead down the ladder, or away from
 * an end, changes nothing. A bounce still overtakes `sent` and `delivered` (a later refusal by the final server), but
 * not an open, which proves that a person has the mail.
 */
export function nextStatus(current: EmailStatus, news: EmailStatus): EmailStatus {
  if (current === "indeterminate") return news === "scheduled" || news === "queued" ? current : news
  const rank = ladderRank.get(current)
  if (rank === undefined) return current

  const newsRank = ladderRank.get(news)
  if (newsRank !== undefined) return newsRank > rank ? news : current
  const lastRank = news === "bounced" ? rankOfDelivered : rankOfSent - 1
  return rank <= lastRank ? news : current
}

/** The status of an email from those of its deliveries, in any order; `queued` for none. */
export function aggregateStatus(deliveries: Iterable<EmailStatus>): EmailStatus {
  const found = new Set(deliveries)
  for (const status of ["scheduled", "queued", "sending", "delivery_delayed", "indeterminate", "sent"] as const) {
    if (found.has(status)) return status
  }
  const reached = ladder.slice(rankOfDelivered).findLast((status) => found.has(status))
  return reached ?? ends.find((status) => found.has(status)) ?? "queued"
}

/** True if no try, timer or answer of the next server is awaited any more; reports from outside may still come. */
export function isSettled(status: EmailStatus): boolean {
  const rank = ladderRank.get(status)
  return rank === undefined ? status !== "indeterminate" : rank >= rankOfSent
}

/** The place of a status on the ladder, from 0; null for an end and for `indeterminate`. */
export function rankOf(status: EmailStatus): number | null {
  return ladderRank.get(status) ?? null
}

export { emailStatuses, type EmailStatus }
