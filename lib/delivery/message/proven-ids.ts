import { timingSafeEqual } from "node:crypto"
import { instantOf } from "@/lib/platform/ids"
import type { Region } from "@/lib/regions/regions"

/** Keyed hash of a text for one purpose; lib/platform/crypto's `hmac` fits. */
export type Hmac = (purpose: string, text: string) => Buffer

/** Octets of the keyed hash in a return path: 64 bits, since a guess can only be tried by sending us a mail. */
const tagBytes = 8
const idBytes = 16
const alphabet = "abcdefghijklmnopqrstuvwxyz234567"
const verpPurpose = "verp-1"

/**
 * The local part of the return path of one delivery: 39 characters of [a-z2-7], the same on every attempt, so that a
 * bounce identifies its recipient whatever its text says.
 */
export function verpFor(deliveryId: string, hmac: Hmac): string {
  return provenId(deliveryId, (id) => hmac(verpPurpose, id), tagBytes)
}

/** The delivery that a return path was made for, in upper or lower case; null if we did not make it. */
export function deliveryOfVerp(localPart: string, hmac: Hmac): string | null {
  return idOfProven(localPart, (id) => hmac(verpPurpose, id), tagBytes)
}

/** A UUID and so many octets of a keyed hash over its hexadecimal digits, as characters of [a-z2-7]. */
function provenId(uuid: string, hash: (id: string) => Buffer, hashBytes: number): string {
  const id = Buffer.from(uuid.replaceAll("-", ""), "hex")
  if (id.length !== idBytes) throw new TypeError("An id is a UUID.")
  return toBase32(Buffer.concat([id, hash(id.toString("hex")).subarray(0, hashBytes)]))
}

/** The UUID in a text that `provenId` made, in upper or lower case; null for any other text. */
function idOfProven(text: string, hash: (id: string) => Buffer, hashBytes: number): string | null {
  const bytes = fromBase32(text.toLowerCase(), idBytes + hashBytes)
  if (!bytes) return null
  const hex = bytes.toString("hex", 0, idBytes)
  if (!sameBytes(bytes.subarray(idBytes), hash(hex).subarray(0, hashBytes))) return null
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-")
}

/** RFC 4648 without padding, in lower case. */
function toBase32(bytes: Buffer): string {
  let text = ""
  let bits = 0
  let held = 0
  for (const byte of bytes) {
    bits = (bits << 8) | byte
    for (held += 8; held >= 5; held -= 5) text += alphabet.charAt((bits >> (held - 5)) & 31)
    bits &= (1 << held) - 1
  }
  return held > 0 ? text + alphabet.charAt((bits << (5 - held)) & 31) : text
}

/** Refuses a text whose unused last bits are set, so that every id has exactly one spelling. */
function fromBase32(text: string, byteCount: number): Buffer | null {
  if (text.length !== Math.ceil((byteCount * 8) / 5) || !/^[a-z2-7]+$/.test(text)) return null
  let bits = 0n
  for (const character of text) bits = (bits << 5n) | BigInt(alphabet.indexOf(character))
  const unused = BigInt(text.length * 5 - byteCount * 8)
  if ((bits & ((1n << unused) - 1n)) !== 0n) return null
  return Buffer.from((bits >> unused).toString(16).padStart(byteCount * 2, "0"), "hex")
}

/** Compares in constant time. */
function sameBytes(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b)
}

const referencePurpose = "email-reference-1"

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
  return (_, text) => hmac(referencePurpose, text)
}

const prefix = "setup+"
const loopTestPurpose = "loop-test-1"
/** Octets of the keyed hash: 128 bits. */
const hashBytes = 16

/** A loop test that has not come back within this is lost, and its address reaches nobody any more. */
export const loopTestLivesMs = 600_000

/** The local part of the address to which a region's loop test is sent: it proves itself, for this region and some minutes. */
export function loopTestAddress(testId: string, region: Region, hmac: Hmac): string {
  return prefix + provenId(testId, (id) => hmac(loopTestPurpose, `${region} ${id}`), hashBytes)
}

/** The loop test of a live address; null if we did not make it for the region, or too long ago. */
export function loopTestOf(localPart: string, region: Region, { hmac, now }: { hmac: Hmac; now: Date }): string | null {
  if (!localPart.toLowerCase().startsWith(prefix)) return null
  const id = idOfProven(localPart.slice(prefix.length), (text) => hmac(loopTestPurpose, `${region} ${text}`), hashBytes)
  return id && now.getTime() - instantOf(id).getTime() <= loopTestLivesMs ? id : null
}

/** What a tracked URL of an email is: its open image, a link, the image that is held open, or a mark further down. */
export const trackingKinds = ["open", "click", "read", "mark"] as const
export type TrackingKind = (typeof trackingKinds)[number]

/** `number` is that of the link, or the percentage of the mark; 0 for the others. */
export type TrackingToken = { kind: TrackingKind; deliveryId: string; number: number }

/** Version of the layout and key purpose: a new layout gets a new number, and URLs in old emails keep working. */
const version = 1
const headBytes = 1 + 1 + 16 + 2
const tokenTagBytes = 16

export const tokenChars = ((headBytes + tokenTagBytes) * 4) / 3

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
  if (bytes.length !== headBytes + tokenTagBytes || bytes[0] !== version) return null
  const head = bytes.subarray(0, headBytes)
  const kind = trackingKinds[head[1] ?? -1]
  if (!kind || !timingSafeEqual(bytes.subarray(headBytes), tagOf(head, hmac))) return null
  const hex = head.toString("hex", 2, 18)
  const deliveryId = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-")
  return { kind, deliveryId, number: head.readUInt16BE(18) }
}

function tagOf(head: Buffer, hmac: Hmac): Buffer {
  return hmac("tracking", head.toString("latin1")).subarray(0, tokenTagBytes)
}
