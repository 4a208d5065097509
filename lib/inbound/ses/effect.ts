import { verpFor } from "@/lib/delivery/message/proven-ids"
import type { ReturnedDelivery } from "@/lib/delivery/queue/feedback/data"
import { statusAfter } from "@/lib/delivery/queue/rules"
import type { BounceType } from "@/lib/explanation/codes"
import { type Bounce, isUnderWay } from "@/lib/inbound/effect"
import { hmac } from "@/lib/platform/crypto"
import { outcomeFor, type RecipientOutcome } from "@/lib/returns/recipient-outcome"
import type { References, ReturnedRecipient } from "@/lib/returns/returned-mail"
import type { SesNews } from "@/lib/returns/ses-event"

/** What an event of SES does to its delivery. */
export type SesEffect =
  | ({ kind: "bounced" } & Bounce)
  | { kind: "delivered" }
  /** Its status is further, or at its end: the timeline and the counters have the delivery too. */
  | { kind: "delivered_before" }
  | { kind: "delayed"; diagnostic: string }
  | { kind: "complained" }
  /** A timeline entry and nothing else. */
  | {
      kind: "noted"
      note: "about_another_recipient" | "after_open" | "automatic_answer" | "feedback"
      diagnostic?: string
    }
  /** It says what is known. */
  | { kind: "repeated" }
  /** Our own record of the hand-over comes first. */
  | { kind: "early" }

/** The effect of an event on the delivery that its tag names: the same delivery and events in any order end alike. */
export function effectOfEvent(news: SesNews, delivery: ReturnedDelivery): SesEffect {
  if (isUnderWay(delivery)) return { kind: "early" }
  const { status } = delivery
  switch (news.kind) {
    case "delivered":
      if (status === "delivered") return { kind: "repeated" }
      if (statusAfter(status, "delivered") === "delivered") return { kind: "delivered" }
      return ["opened", "clicked", "complained", "bounced"].includes(status)
        ? { kind: "delivered_before" }
        : { kind: "repeated" }
    case "delayed": {
      const outcome = outcomeOf(news.recipients, delivery)
      if (outcome.kind === "forwarded") return { kind: "noted", note: "about_another_recipient" }
      if (status !== "sent" || delivery.isDelayed) return { kind: "repeated" }
      return { kind: "delayed", diagnostic: outcome.diagnostic }
    }
    case "failed": {
      const outcome = outcomeOf(news.recipients, delivery)
      if (outcome.kind !== "failed") return { kind: "noted", note: "about_another_recipient" }
      const { bounceCode, diagnostic } = outcome
      if (isAutomaticAnswer(news) && diagnostic === "") return { kind: "noted", note: "automatic_answer" }
      return bounced({ bounceType: typeOf(news, outcome.bounceType), bounceCode, diagnostic }, delivery)
    }
    case "not_sent":
      return bounced(
        {
          bounceType: news.why === "rejected" ? "content" : "ours",
          bounceCode: "",
          diagnostic: `Amazon SES has not sent the message: ${news.text || "it gives no reason"}`,
        },
        delivery,
      )
    case "complained":
      // It was not sent, because of a complaint before.
      if (news.isSuppressed)
        return bounced({ bounceType: "block", bounceCode: "", diagnostic: suppressedThere }, delivery)
      if (!complaints.has(news.feedbackType)) return { kind: "noted", note: "feedback" }
      return status === "complained" || delivery.isComplained ? { kind: "repeated" } : { kind: "complained" }
  }
}

const suppressedThere = "Amazon SES has not sent the message: the address is on the account's suppression list."

/** Of RFC 5965, as for reports by mail; without a type it is one. */
const complaints = new Set(["", "abuse", "fraud"])

function bounced(bounce: Bounce, { status }: ReturnedDelivery): SesEffect {
  if (statusAfter(status, "bounced") === "bounced" && status !== "bounced") return { kind: "bounced", ...bounce }
  return ["opened", "clicked", "complained"].includes(status)
    ? { kind: "noted", note: "after_open", diagnostic: bounce.diagnostic }
    : { kind: "repeated" }
}

/** SES reports an out-of-office reply as a bounce too, for which no server gave a status or a reason. */
function isAutomaticAnswer({ bounceType, bounceSubType }: Extract<SesNews, { kind: "failed" }>): boolean {
  return bounceType === "Transient" && bounceSubType === "General"
}

/** The words of the last server decide, as for every bounce; what SES makes of them can only make it milder. */
function typeOf({ bounceType, bounceSubType }: Extract<SesNews, { kind: "failed" }>, byWords: BounceType): BounceType {
  // SES did not try: what it knows of the address is of other mail, perhaps of another customer's.
  if (notTried.has(bounceSubType)) return "block"
  if (bounceType === "Transient") {
    if (ofContent.has(bounceSubType)) return "content"
    return byWords === "hard" ? "soft" : byWords
  }
  if (bounceType === "Permanent") return byWords
  return byWords === "hard" || byWords === "soft" ? "block" : byWords
}

const notTried = new Set(["Suppressed", "OnAccountSuppressionList", "UnsubscribedRecipient"])
const ofContent = new Set(["MessageTooLarge", "ContentRejected", "AttachmentRejected"])

function outcomeOf(recipients: ReturnedRecipient[], delivery: ReturnedDelivery): RecipientOutcome {
  const returnPath = `${verpFor(delivery.id, hmac)}@${delivery.address.slice(delivery.address.lastIndexOf("@") + 1)}`
  return outcomeFor({ recipients, references: nothing }, { recipient: delivery.address, returnPath, route: "unknown" })
}

const nothing: References = { verp: null, ref: null, messageId: null, unsubscribeToken: null }
