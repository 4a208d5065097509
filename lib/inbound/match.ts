import { deliveriesOfEmail } from "@/lib/delivery/queue/feedback/data"
import { emailOfReference } from "@/lib/delivery/message/reference"
import { deliveryOfUnsubscribeAddress, readUnsubscribeToken } from "@/lib/delivery/message/unsubscribe"
import { deliveryOfVerp } from "@/lib/delivery/message/verp"
import { hmac } from "@/lib/platform/crypto"
import type { References, ReturnedMail } from "@/lib/returns/returned-mail"

/** How a delivery was found: each of these proves itself by its keyed hash. The recipient chooses among those of its email. */
export type MatchedBy = "verp" | "ref" | "unsubscribe_token" | "recipient"

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
export function isOfAnother(
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
