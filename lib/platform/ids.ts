import { uuidv7 } from "uuidv7"

/** A fresh UUIDv7 as PostgreSQL writes it: time-ordered, 36 characters. */
export function newId(): string {
  return uuidv7()
}

export type IdPrefix =
  | "email"
  | "con"
  | "seg"
  | "top"
  | "prop"
  | "dom"
  | "whk"
  | "whd"
  | "key"
  | "proj"
  | "org"
  | "usr"
  | "evt"
  | "sup"
  | "use"
  | "aud"
  | "imp"
  | "req"
  | "inv"
  | "ses"
  | "att"
  | "dlv"
  | "msg"
  | "dmr"
  | "tlr"
  | "bc"
  | "inb"
  | "inr"
  | "egr"
  | "opn"
  | "ntc"
  | "tpl"
  | "pky"

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"
const digits = new Map([...alphabet].map((character, digit) => [character, BigInt(digit)]))
const suffixLength = 26

/** Two characters for each number of ten bits. */
const pairs = Array.from({ length: 1024 }, (_, bits) => alphabet.charAt(bits >> 5) + alphabet.charAt(bits & 31))

/** The public form of an id: prefix, underscore, 26 characters of base32 (TypeID 0.3). */
export function encodeId(prefix: IdPrefix, uuid: string): string {
  const hex = uuid.replaceAll("-", "")
  // 128 bits in 130: eight in the first two characters, then four characters for each five hexadecimal digits.
  let suffix = pairs[parseInt(hex.slice(0, 2), 16)] ?? ""
  for (let at = 2; at < hex.length; at += 5) {
    const bits = parseInt(hex.slice(at, at + 5), 16)
    suffix += (pairs[bits >> 10] ?? "") + (pairs[bits & 1023] ?? "")
  }
  return `${prefix}_${suffix}`
}

/** Characters of an id of that kind. */
export function idLength(prefix: IdPrefix): number {
  return prefix.length + 1 + suffixLength
}

/** The uuid inside a public id, or null when the text is not an id of that kind. */
export function decodeId(prefix: IdPrefix, text: string): string | null {
  if (text.length !== idLength(prefix) || !text.startsWith(`${prefix}_`)) return null
  let value = 0n
  for (const character of text.slice(prefix.length + 1)) {
    const digit = digits.get(character)
    if (digit === undefined) return null
    value = (value << 5n) | digit
  }
  if (value >> 128n) return null
  const hex = value.toString(16).padStart(32, "0")
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** When something with this public id was made, whatever it is, or null when the text is no id. */
export function publicIdTime(text: string): Date | null {
  const uuid = decodeId(text.slice(0, Math.max(0, text.indexOf("_"))) as IdPrefix, text)
  return uuid === null ? null : instantOf(uuid)
}

/** The time inside a UUIDv7, in milliseconds. */
export function idTime(uuid: string): number {
  return parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16)
}

/** The smallest UUIDv7 of an instant: a bound for ranges over time-ordered ids. */
export function firstIdAt(instant: Date): string {
  const hex = Math.max(0, instant.getTime()).toString(16).padStart(12, "0")
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7000-8000-000000000000`
}

/** The instant in a UUIDv7. */
export function instantOf(uuid: string): Date {
  return new Date(idTime(uuid))
}
