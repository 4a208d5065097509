import { timingSafeEqual } from "node:crypto"
import type { Hmac } from "@/lib/delivery/message/verp"

/** Version of the layout and key purpose: a new layout gets a new number, and links in old mails keep working. */
const version = 1
const idBytes = 16
const tagBytes = 16

/** The token in a mail's unsubscribe link: version, delivery and keyed hash, 44 characters of base64url. */
export function unsubscribeToken(deliveryId: string, hmac: Hmac): string {
  const id = Buffer.from(deliveryId.replaceAll("-", ""), "hex")
  if (id.length !== idBytes) throw new TypeError("A delivery id is a UUID.")
  const head = Buffer.concat([Buffer.of(version), id])
  return Buffer.concat([head, tagOf(head, hmac)]).toString("base64url")
}

/** The delivery whose mail carried the token; null if we did not make it. */
export function readUnsubscribeToken(token: string, hmac: Hmac): string | null {
  const bytes = Buffer.from(token, "base64url")
  if (bytes.length !== 1 + idBytes + tagBytes || bytes.toString("base64url") !== token) return null
  const head = bytes.subarray(0, 1 + idBytes)
  if (head[0] !== version || !timingSafeEqual(bytes.subarray(1 + idBytes), tagOf(head, hmac))) return null
  const hex = head.subarray(1).toString("hex")
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-")
}

function tagOf(head: Buffer, hmac: Hmac): Buffer {
  return hmac("unsubscribe", head.toString("hex")).subarray(0, tagBytes)
}
