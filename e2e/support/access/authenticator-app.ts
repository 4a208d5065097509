import { totpCode, totpStepAt } from "@/lib/access/second-factor/totp"

/**
 * The code that an authenticator app shows for this secret: as it is set up the one of 30 seconds ago, which is accepted, too, so
 * that signing in right after that has another one.
 */
export function appCode(secret: string, when: "setting up" | "signing in"): string {
  return totpCode(bytesOfBase32(secret), totpStepAt(new Date()) - (when === "setting up" ? 1n : 0n))
}

/** Base32, as an authenticator app reads it. */
export function bytesOfBase32(text: string): Buffer {
  const bits = [...text].map((character) => {
    return "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(character).toString(2).padStart(5, "0")
  })
  const bytes = bits.join("").match(/.{8}/g) ?? []
  return Buffer.from(bytes.map((byte) => parseInt(byte, 2)))
}
