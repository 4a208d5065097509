import { createHmac, timingSafeEqual } from "node:crypto"
import { hmac } from "@/lib/platform/crypto"
import type { Random } from "@/lib/platform/io"

/** One-time codes by time (RFC 6238) with the values that every authenticator app knows: SHA-1, 6 digits, 30 seconds. */
const totpDigits = 6
const stepMs = 30_000

/** 160 bits, as long as the hash (RFC 4226 section 4, R6). */
export const totpSecretBytes = 20

/** Codes of the step before and after are accepted too: clocks differ, and typing takes time (RFC 6238 section 5.2). */
const stepsAround = [0n, -1n, 1n]

export function totpStepAt(at: Date): bigint {
  return BigInt(Math.floor(at.getTime() / stepMs))
}

/** The code of a time step (RFC 4226 section 5.3). */
export function totpCode(secret: Uint8Array, step: bigint): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(step)
  const hash = createHmac("sha1", secret).update(counter).digest()
  const offset = (hash.at(-1) ?? 0) & 0x0f
  const number = hash.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** totpDigits).padStart(totpDigits, "0")
}

/** The time step whose code this is, if it is near and later than the last one used; null otherwise. */
export function matchingStep(
  secret: Uint8Array,
  code: string,
  { at, usedStep }: { at: Date; usedStep: bigint | null },
): bigint | null {
  const now = totpStepAt(at)
  const given = Buffer.from(code)
  for (const around of stepsAround) {
    const step = now + around
    const right = Buffer.from(totpCode(secret, step))
    if (given.length !== right.length || !timingSafeEqual(given, right)) continue
    if (usedStep === null || step > usedStep) return step
  }
  return null
}

const base32Alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

/** Base32 without padding (RFC 4648 section 6), as people type a secret into an app. */
export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("")
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => base32Alphabet[parseInt(group.padEnd(5, "0"), 2)]).join("")
}

/** What the QR code says: the key URI that authenticator apps read. */
export function totpUri(secret: Uint8Array, { issuer, account }: { issuer: string; account: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}`
}

const recoveryCodeCount = 10

// Without letters that are read as digits or as each other: Crockford's base32.
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"
const characters = 12

/** Ten codes of 60 bits, written as `k3v9-08mx-tz2d`. */
export function newRecoveryCodes(random: Random): string[] {
  return Array.from({ length: recoveryCodeCount }, () => {
    const text = [...random.bytes(characters)].map((byte) => alphabet[byte % alphabet.length]).join("")
    return text.replace(/(.{4})(?=.)/g, "$1-")
  })
}

/** What the database stores of a code. The spelling does not matter: capitals, blanks, hyphens. */
export function recoveryCodeHash(userId: string, code: string): Buffer {
  const plain = code.toLowerCase().replaceAll(/[\s-]/g, "").replaceAll("o", "0").replaceAll(/[il]/g, "1")
  return hmac("recovery-code", `${userId} ${plain}`)
}
