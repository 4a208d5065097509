import type { Outcome } from "@/lib/delivery/queue/outcome"
import type { ReturnedDelivery } from "@/lib/delivery/queue/returned-sql"
import { isSimulated } from "@/lib/delivery/transports/simulator"
import type { BounceType } from "@/lib/explanation/codes"

/** The news of a delivery that has left, as a mail brings it. */
export type News =
  { kind: "bounced"; bounceType: BounceType; bounceCode: string; diagnostic: string } | { kind: "delivered" }

/** The same outcome as of an attempt that is refused or accepted now, without the attempt. */
export function returnedOutcome(delivery: ReturnedDelivery, news: News): Outcome {
  const { subject, status, messageId, isDelayed, ...rest } = delivery
  const simulated = isSimulated(delivery.canonical)
  const bounce =
    news.kind === "bounced"
      ? { bounceType: news.bounceType, bounceCode: news.bounceCode, diagnostic: news.diagnostic }
      : {}
  const details = {
    to: delivery.address,
    subject,
    ...bounce,
    reported: "true",
    ...(simulated && { simulator: "true" }),
  }
  const data = Object.fromEntries(Object.entries(details).filter((entry) => entry[1] !== ""))
  return {
    claimed: { ...rest, status: "sending", claimedAt: new Date(0) },
    status: news.kind,
    dueInSeconds: null,
    isOpen: false,
    counts: false,
    unfinished: 0,
    attempts: [],
    events: [{ type: news.kind, data }],
    ...bounce,
    reason:
      news.kind === "bounced"
        ? { code: "bounced", facts: { bounceType: news.bounceType, enhanced: news.bounceCode, phase: "final" } }
        : null,
    suppress: news.kind === "bounced" && news.bounceType === "hard" && (!simulated || delivery.canonical.includes("+")),
    // Its other deliveries are read, whatever they are.
    alone: false,
  }
}
