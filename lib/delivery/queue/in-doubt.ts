import type { Claimed } from "@/lib/delivery/queue/claim-sql"
import { batchWrites } from "@/lib/platform/jobs/batch-writes"
import { markData } from "@/lib/delivery/queue/in-doubt-sql"
import type { Facts, Outcome } from "@/lib/delivery/queue/outcome"
import type { SendControl } from "@/lib/delivery/transports/transport"

export const lostText = "The worker ended during this attempt, before it could record the result."

/** The server may have the message, and the project's policy is not to risk sending it twice. */
export function inDoubt({ claimed, message }: Facts): boolean {
  return message.ambiguousPolicy === "hold" && claimed.dataAttempt !== null
}

/** The previous claim ended without an outcome after the message had been composed. */
export function wasLost(facts: Facts): boolean {
  const { claimed, message } = facts
  if (message.ambiguousPolicy === "hold") return inDoubt(facts)
  return claimed.unfinished > 1 && message.composed
}

/** With the policy `hold`, the claim is marked before any data is sent; otherwise that statement is not needed. */
export function holding({ claimed, message }: Facts): Pick<SendControl, "beforeData"> {
  return message.ambiguousPolicy === "hold" ? { beforeData: () => markDataBatched(claimed) } : {}
}

const markDataBatched = batchWrites(
  async (claimed: Claimed[]) => {
    const held = await markData(claimed)
    return claimed.map(({ id }) => held.has(id))
  },
  { max: 200 },
)

export function withLost(outcome: Outcome): Outcome {
  const { attempt, dataAttempt } = outcome.claimed
  const lost = { number: dataAttempt ?? attempt - 1, outcome: "lost" as const, text: lostText }
  return { ...outcome, attempts: [lost, ...outcome.attempts] }
}
