import { statusAfter } from "@/lib/delivery/queue/rules"
import type { ReturnedDelivery } from "@/lib/delivery/queue/feedback/data"
import { verpFor } from "@/lib/delivery/message/verp"
import type { BounceType } from "@/lib/explanation/codes"
import { isOfAnother } from "@/lib/inbound/match"
import { hmac } from "@/lib/platform/crypto"
import { outcomeFor } from "@/lib/returns/recipient-outcome"
import type { DeliveryStatus, ReturnedMail } from "@/lib/returns/returned-mail"

export type Bounce = { bounceType: BounceType; bounceCode: string; diagnostic: string }

/** Why a mail that came back changes no status: what the timeline says of it. */
export type MailNote =
  | "about_another_email"
  | "about_another_recipient"
  | "after_open"
  | "after_bounce"
  | "answer"
  | "feedback"
  | "relayed_on"
  | "unfinished"
  | "unreadable"

/** What a mail that came back does to its delivery. */
export type Effect =
  | ({ kind: "bounced" } & Bounce)
  | { kind: "delivered" }
  | { kind: "delayed"; diagnostic: string }
  /** A timeline entry and nothing else. */
  | { kind: "noted"; note: MailNote; diagnostic?: string }
  /** It says what is known. */
  | { kind: "repeated" }
  /** The delivery is still under way: its outcome comes first. */
  | { kind: "early" }

/** The effect of a mail on the delivery that it was matched to; `rcptTo` is the address of ours that it came to. */
export function effectOf(mail: ReturnedMail, delivery: ReturnedDelivery, rcptTo: string): Effect {
  switch (mail.kind) {
    case "delivery_status":
      return effectOfStatus(mail, delivery, rcptTo)
    case "feedback":
      return { kind: "noted", note: "feedback" }
    case "personal":
    case "unsubscribe":
      return { kind: "noted", note: "answer" }
    case "unreadable":
    case "report":
    case "automatic_answer":
      return { kind: "noted", note: "unreadable" }
  }
}

function effectOfStatus(mail: DeliveryStatus, delivery: ReturnedDelivery, rcptTo: string): Effect {
  if (isOfAnother(mail.references, delivery)) return { kind: "noted", note: "about_another_email" }
  // Some servers return mail to the postmaster instead.
  const returnPath = verpFor(delivery.id, hmac) + rcptTo.slice(rcptTo.lastIndexOf("@"))
  const outcome = outcomeFor(mail, { recipient: delivery.address, returnPath, route: "unknown" })
  if (outcome.kind === "forwarded") return { kind: "noted", note: "about_another_recipient" }
  if (isUnderWay(delivery)) return { kind: "early" }
  const { diagnostic } = outcome
  switch (outcome.kind) {
    case "failed": {
      const { bounceType, bounceCode } = outcome
      if (statusAfter(delivery.status, "bounced") === "bounced" && delivery.status !== "bounced")
        return { kind: "bounced", bounceType, bounceCode, diagnostic }
      if (["opened", "clicked", "complained"].includes(delivery.status))
        return { kind: "noted", note: "after_open", diagnostic }
      return { kind: "repeated" }
    }
    case "delayed":
      return delivery.status === "sent" && !delivery.isDelayed ? { kind: "delayed", diagnostic } : { kind: "repeated" }
    case "delivered":
    case "relayed":
      if (statusAfter(delivery.status, "delivered") === "delivered" && delivery.status !== "delivered")
        return { kind: "delivered" }
      return delivery.status === "bounced" ? { kind: "noted", note: "after_bounce", diagnostic } : { kind: "repeated" }
    case "expanded":
      return { kind: "noted", note: "relayed_on", diagnostic }
  }
}

export function isUnderWay({ status }: Pick<ReturnedDelivery, "status">): boolean {
  return ["scheduled", "queued", "sending", "delivery_delayed"].includes(status)
}
