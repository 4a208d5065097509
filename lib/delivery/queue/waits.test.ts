import { expect, it } from "vitest"
import { type ClaimFacts, destinationWait, outcomeOfAttempt } from "@/lib/delivery/queue/outcome"
import type { DeliveryAttempt } from "@/lib/delivery/transports/attempt"
import { classify } from "@/lib/delivery/transports/classify"

const startedAt = new Date("2026-11-30T10:00:00Z")
const attempt = {
  ...{ outcome: "deferred", phase: "rcpt", code: 450, text: "4.2.0 Greylisted, try again in 50 minutes" },
  ...{ remote: "mx.x.example [192.0.2.1]:25", conversation: [], startedAt, endedAt: startedAt },
} as unknown as DeliveryAttempt

/** Of an email that is to be given up ten minutes after it was accepted. */
function factsAfter(ageSeconds: number): ClaimFacts {
  return {
    claimed: { attempt: 1, attemptCount: 0, status: "sending", claimedAt: startedAt },
    message: { subject: "Your code", recipients: 1, ageSeconds, giveUpAfterSeconds: 600 },
    simulated: false,
  } as unknown as ClaimFacts
}

it("an email that meets a block of hours is due again at its own deadline", () => {
  const waits = { reason: { code: "destination", facts: { name: "X", why: "block" } } as const, queue: 1 }
  const outcome = destinationWait(factsAfter(4), attempt, { ...waits, waitSeconds: 14_400 })
  expect(outcome.dueInSeconds).toBe(597)
})

it("an email whose server wants to be asked after its deadline is due at the deadline", () => {
  const outcome = outcomeOfAttempt(factsAfter(4), attempt, classify(attempt), { delivered: "never", random: 0.5 })
  expect(outcome.dueInSeconds).toBe(596)
})
