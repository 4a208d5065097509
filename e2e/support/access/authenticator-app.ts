import { totpCode, totpStepAt } from "@/lib/access/second-factor/codes"

/**
 * The code that an authenticator app shows for this secret: as it is set up that of now, and to sign in that of the next 30
 * seconds, so that signing in right after has another one. Both are still accepted when the next 30 seconds begin meanwhile.
 */
export function appCode(secret: string, when: "setting up" | "signing in"): string {
  return totpCode(bytesOfBase32(secret), totpStepAt(new Date()) + (when === "setting up" ? 0n : 1n))
}

/** Base32, as an authenticator app reads it. */
export function bytesOfBase32(text: string): Buffer {
  const bits = [...text].map((character) => {
    return "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(character).toString(2).padStart(5, "0")
  })
  const bytes = bits.join("").match(/.{8}/g) ?? []
  return Buffer.from(bytes.map((byte) => parseInt(byte, 2)))
}
