import { deliveryOfVerp, verpFor, type Hmac } from "@/lib/delivery/message/verp"

const prefix = "u-"
const purpose = "unsubscribe-address-1"

/**
 * The local part of the address that a mail's List-Unsubscribe names beside its link (RFC 2369): as a return path, so that
 * letter case does not matter, with a keyed hash of its own.
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
