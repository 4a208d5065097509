import type { Claimed } from "@/lib/delivery/queue/claim-sql"
import { gather } from "@/lib/delivery/queue/batch-writes"
import { markData } from "@/lib/delivery/queue/in-doubt-sql"
import type { Facts, Outcome } from "@/lib/delivery/queue/outcome"
import type { SendControl } from "@/lib/delivery/transports/transport"

export const lostText = "The worker that had this hand-off under way ended before it could write down how it went."

/** The server may have the message, and this project would rather not send it twice. */
export function inDoubt({ claimed, message }: Facts): boolean {
  return message.ambiguousPolicy === "hold" && claimed.dataAttempt !== null
}

/** The claim before this one ended without a word, at a time when the message was ready to be handed over. */
export function wasLost(facts: Facts): boolean {
  const { claimed, message } = facts
  if (message.ambiguousPolicy === "hold") return inDoubt(facts)
  return claimed.unfinished > 1 && message.composed
}

/** Where a second copy is worse than none, what is about to leave is noted first; elsewhere that statement is saved. */
export function holding({ claimed, message }: Facts): Pick<SendControl, "beforeData"> {
  return message.ambiguousPolicy === "hold" ? { beforeData: () => markWithOthers(claimed) } : {}
}

const markWithOthers = gather(
  async (claimed: Claimed[]) => {
    const held = await markData(claimed)
    return claimed.map(({ id }) => held.has(id))
  },
  { most: 200 },
)

export function withLost(outcome: Outcome): Outcome {
  const { attempt, dataAttempt } = outcome.claimed
  const lost = { number: dataAttempt ?? attempt - 1, outcome: "lost" as const, text: lostText }
  return { ...outcome, attempts: [lost, ...outcome.attempts] }
}
