import { timingSafeEqual } from "node:crypto"
import type { Hmac } from "@/lib/delivery/message/proven-ids"

/** What a tracked URL of an email is: its open image, a link, the image that is held open, or a mark further down. */
export const trackingKinds = ["open", "click", "read", "mark"] as const
export type TrackingKind = (typeof trackingKinds)[number]

/** `number` is that of the link, or the percentage of the mark; 0 for the others. */
export type TrackingToken = { kind: TrackingKind; deliveryId: string; number: number }

/** Version of the layout and key purpose: a new layout gets a new number, and URLs in old emails keep working. */
const version = 1
const headBytes = 1 + 1 + 16 + 2
const tagBytes = 16

export const tokenChars = ((headBytes + tagBytes) * 4) / 3

/** Version, kind, delivery, number and a keyed hash of 128 bits, 48 characters of base64url. It holds no URL. */
export function trackingToken({ kind, deliveryId, number }: TrackingToken, hmac: Hmac): string {
  const head = Buffer.alloc(headBytes)
  head[0] = version
  head[1] = trackingKinds.indexOf(kind)
  head.write(deliveryId.replaceAll("-", ""), 2, "hex")
  head.writeUInt16BE(number, 18)
  return Buffer.concat([head, tagOf(head, hmac)]).toString("base64url")
}

/** Null for a token that we did not make. */
export function readTrackingToken(token: string, hmac: Hmac): TrackingToken | null {
  if (token.length !== tokenChars) return null
  const bytes = Buffer.from(token, "base64url")
  if (bytes.length !== headBytes + tagBytes || bytes[0] !== version) return null
  const head = bytes.subarray(0, headBytes)
  const kind = trackingKinds[head[1] ?? -1]
  if (!kind || !timingSafeEqual(bytes.subarray(headBytes), tagOf(head, hmac))) return null
  const hex = head.toString("hex", 2, 18)
  const deliveryId = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-")
  return { kind, deliveryId, number: head.readUInt16BE(18) }
}

function tagOf(head: Buffer, hmac: Hmac): Buffer {
  return hmac("tracking", head.toString("latin1")).subarray(0, tagBytes)
}
