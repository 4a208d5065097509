import { hmac } from "@/lib/platform/crypto"
import type { Random } from "@/lib/platform/io"

export const recoveryCodeCount = 10

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
