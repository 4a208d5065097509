import { deliveriesOfEmail, type ReturnedDelivery } from "@/lib/delivery/queue/feedback/data"
import { emailOfReference, deliveryOfVerp, verpFor } from "@/lib/delivery/message/proven-ids"
import { deliveryOfUnsubscribeAddress, readUnsubscribeToken } from "@/lib/delivery/message/unsubscribe"
import { hmac } from "@/lib/platform/crypto"
import type { References, ReturnedMail, DeliveryStatus } from "@/lib/returns/returned-mail"
import { statusAfter } from "@/lib/delivery/queue/rules"
import type { BounceType } from "@/lib/explanation/codes"
import { outcomeFor } from "@/lib/returns/recipient-outcome"

/** How a delivery was found: each of these proves itself by its keyed hash. The recipient chooses among those of its email. */
type MatchedBy = "verp" | "ref" | "unsubscribe_token" | "recipient"

export type Match = { deliveryId: string; by: MatchedBy }

/**
 * The delivery that a mail is about: the return path that it came to, else what it quotes of our mail. Nothing that anybody
 * could write, such as a recipient's address alone, leads to a delivery.
 */
export async function matchOf(mail: ReturnedMail, rcptDelivery: string | null): Promise<Match | null> {
  if (rcptDelivery) return { deliveryId: rcptDelivery, by: "verp" }
  const { references } = mail
  const verp = references.verp && deliveryOfVerp(references.verp, hmac)
  if (verp) return { deliveryId: verp, by: "verp" }
  const original = mail.kind === "feedback" ? deliveryOfAddress(mail.originalMailFrom) : null
  if (original) return { deliveryId: original, by: "verp" }
  const ofReference = references.ref && deliveryOfVerp(references.ref, hmac)
  if (ofReference) return { deliveryId: ofReference, by: "ref" }
  const { unsubscribeToken: token } = references
  const ofToken = token && (readUnsubscribeToken(token, hmac) ?? deliveryOfUnsubscribeAddress(token, hmac))
  if (ofToken) return { deliveryId: ofToken, by: "unsubscribe_token" }
  const emailId = references.ref && emailOfReference(references.ref, hmac)
  return emailId ? recipientOfEmail(emailId, mail) : null
}

function deliveryOfAddress(address: string | null): string | null {
  return address === null ? null : deliveryOfVerp(address.slice(0, Math.max(0, address.lastIndexOf("@"))), hmac)
}

/** An email to several people was for the one whom the mail names. */
async function recipientOfEmail(emailId: string, mail: ReturnedMail): Promise<Match | null> {
  const named = new Set(addressesIn(mail).map((address) => address.toLowerCase()))
  const found = (await deliveriesOfEmail(emailId)).filter(({ address }) => named.has(address.toLowerCase()))
  const [only] = found
  return only && found.length === 1 ? { deliveryId: only.id, by: "recipient" } : null
}

function addressesIn(mail: ReturnedMail): string[] {
  if (mail.kind === "feedback") return mail.originalRecipients
  return mail.kind === "delivery_status" ? mail.recipients.flatMap(({ addresses }) => addresses) : []
}

/** Whether what a mail quotes of ours belongs to another delivery than the one whose return path it came to. */
function isOfAnother(
  { verp, ref, messageId }: References,
  delivery: { id: string; emailId: string; messageId: string },
): boolean {
  const other = [verp, ref].flatMap((one) => (one && deliveryOfVerp(one, hmac)) || []).find((id) => id !== delivery.id)
  const email = ref ? emailOfReference(ref, hmac) : null
  if (other || (email && email !== delivery.emailId)) return true
  // A relay may give a message id of its own domain; one of ours is another email's.
  return messageId !== null && messageId !== delivery.messageId && domainOf(messageId) === domainOf(delivery.messageId)
}

function domainOf(messageId: string): string {
  return messageId.slice(messageId.lastIndexOf("@")).toLowerCase()
}

export type Bounce = { bounceType: BounceType; bounceCode: string; diagnostic: string }

/** Why a mail that came back changes no status: what the timeline says of it. */
type MailNote =
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
