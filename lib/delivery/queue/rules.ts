import { type EmailStatus, emailStatuses } from "@/lib/emails/message-rules"

/** The progress of a mail; a status only ever moves up this ladder. */
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

/** The status of a finished email that no recipient got: the first of these that any delivery has. */
const ends = [
  "bounced",
  "failed",
  "rejected",
  "suppressed",
  "cancelled",
  "test",
] as const satisfies readonly EmailStatus[]

/** Seconds after its first due time from which an email that still waits is `delivery_delayed`. */
export const delayedAfterSeconds = 20 * 60

/** The status of an email that waits for its next attempt, by the seconds since its first due time. */
export function statusBetweenAttempts(ageSeconds: number): "sending" | "delivery_delayed" {
  return ageSeconds >= delayedAfterSeconds ? "delivery_delayed" : "sending"
}

/**
 * The status after an update. Updates may arrive late, twice and out of order: one that leads down the ladder, or away
 * from a final status, is ignored. A bounce still overrides `sent` and `delivered` (a later refusal by the final server),
 * but not an open, which proves that a person has the mail.
 */
export function statusAfter(current: EmailStatus, news: EmailStatus): EmailStatus {
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

/** True if no attempt, timer or reply is pending any more; reports from outside may still arrive. */
export function isSettled(status: EmailStatus): boolean {
  const rank = ladderRank.get(status)
  return rank === undefined ? status !== "indeterminate" : rank >= rankOfSent
}

/** The rank of a status on the ladder, from 0; null for a final status and for `indeterminate`. */
export function rankOf(status: EmailStatus): number | null {
  return ladderRank.get(status) ?? null
}

export { emailStatuses, type EmailStatus }

const minuteMs = 60_000
const firstWaitsMin = [1, 5, 15, 60, 120, 240]
const laterWaitMin = 240

/** Random variation of each wait, so that mails that failed together are not retried together. */
const spread = 0.2

/** Hours after which we give up (RFC 5321 section 4.5.4.1 says days). */
const giveUpHours = 72

/** Between the acceptance of an email, or the time it was scheduled for, and its deadline. */
export function secondsToLive(giveUpAfterSeconds: number | null | undefined): number {
  return Math.min(giveUpHours * 3600, giveUpAfterSeconds ?? Infinity)
}

/**
 * When a deferred mail is retried, or null to give up: after 1, 5, 15, 60, 120 and 240 minutes, then every 4 hours, each
 * varied by up to 20 %, and never later than 72 hours (or `giveUpAfterSeconds`) after it was accepted.
 *
 * @param attempt attempts so far, from 1
 * @param random a number from 0 up to 1
 */
export function nextAttemptAt(
  attempt: number,
  acceptedAt: Date,
  now: Date,
  random: number,
  giveUpAfterSeconds?: number | null,
): Date | null {
  const waitMs = (firstWaitsMin[attempt - 1] ?? laterWaitMin) * minuteMs
  const next = now.getTime() + waitMs * (1 - spread + 2 * spread * random)
  return next <= acceptedAt.getTime() + secondsToLive(giveUpAfterSeconds) * 1000 ? new Date(Math.round(next)) : null
}
