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
