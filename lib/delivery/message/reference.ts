import { deliveryOfVerp, verpFor, type Hmac } from "@/lib/delivery/message/verp"

const purpose = "email-reference-1"

/** The header by which a complaint names its email, where the provider has taken the return path away. */
export const referenceHeader = "X-Mailroom-Ref"

/**
 * The value of `X-Mailroom-Ref`: the local part of the return path where the email has one recipient, else a token of the
 * email, in the same form with a keyed hash of its own.
 */
export function referenceOf(
  { emailId, deliveryId, recipients }: { emailId: string; deliveryId: string; recipients: number },
  hmac: Hmac,
): string {
  return recipients === 1 ? verpFor(deliveryId, hmac) : verpFor(emailId, forEmails(hmac))
}

/** The email of a token; null if we did not make it. */
export function emailOfReference(reference: string, hmac: Hmac): string | null {
  return deliveryOfVerp(reference, forEmails(hmac))
}

function forEmails(hmac: Hmac): Hmac {
  return (_, text) => hmac(purpose, text)
}
