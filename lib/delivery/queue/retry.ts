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
