import { timingSafeEqual } from "node:crypto"

/** Keyed hash of a text for one purpose; lib/platform/crypto's `hmac` fits. */
export type Hmac = (purpose: string, text: string) => Buffer

/** Octets of the keyed hash in a return path: 64 bits, since a guess can only be tried by sending us a mail. */
const tagBytes = 8
const idBytes = 16
const alphabet = "abcdefghijklmnopqrstuvwxyz234567"
const encodedLength = Math.ceil(((idBytes + tagBytes) * 8) / 5)
const purpose = "verp-1"

/**
 * The local part of the return path of one delivery: 39 characters of [a-z2-7], the same on every attempt, so that a
 * bounce identifies its recipient whatever its text says.
 */
export function verpFor(deliveryId: string, hmac: Hmac): string {
  const id = Buffer.from(deliveryId.replaceAll("-", ""), "hex")
  if (id.length !== idBytes) throw new TypeError("A delivery id is a UUID.")
  return toBase32(Buffer.concat([id, tagOf(id, hmac)]))
}

/** The delivery that a return path was made for; null if we did not make it. Letter case does not matter. */
export function deliveryOfVerp(localPart: string, hmac: Hmac): string | null {
  const bytes = fromBase32(localPart.toLowerCase())
  if (!bytes) return null
  const id = bytes.subarray(0, idBytes)
  if (!sameBytes(bytes.subarray(idBytes), tagOf(id, hmac))) return null
  const hex = id.toString("hex")
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-")
}

function tagOf(id: Buffer, hmac: Hmac): Buffer {
  return hmac(purpose, id.toString("hex")).subarray(0, tagBytes)
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
function fromBase32(text: string): Buffer | null {
  if (text.length !== encodedLength || !/^[a-z2-7]+$/.test(text)) return null
  let bits = 0n
  for (const character of text) bits = (bits << 5n) | BigInt(alphabet.indexOf(character))
  const unused = BigInt(encodedLength * 5 - (idBytes + tagBytes) * 8)
  if ((bits & ((1n << unused) - 1n)) !== 0n) return null
  return Buffer.from((bits >> unused).toString(16).padStart((idBytes + tagBytes) * 2, "0"), "hex")
}

/** Compares in constant time. */
function sameBytes(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b)
}
