import { deliveryOfVerp, verpFor, type Hmac } from "@/lib/delivery/message/verp"

const prefix = "u-"
const purpose = "unsubscribe-address-1"

/**
 * The local part of the address that a mail's List-Unsubscribe names beside its link (RFC 2369): made like a return path,
 * so that upper and lower case are the same, and with a different HMAC key.
 */
export function unsubscribeAddress(deliveryId: string, hmac: Hmac): string {
  return prefix + verpFor(deliveryId, forLeaving(hmac))
}

/** The delivery whose mail named the address; null if we did not make it. */
export function deliveryOfUnsubscribeAddress(localPart: string, hmac: Hmac): string | null {
  if (!localPart.toLowerCase().startsWith(prefix)) return null
  return deliveryOfVerp(localPart.slice(prefix.length), forLeaving(hmac))
}

function forLeaving(hmac: Hmac): Hmac {
  return (_, text) => hmac(purpose, text)
}
