import { createHmac } from "node:crypto"
import fc from "fast-check"
import { expect, test } from "vitest"
import { readTrackingToken, tokenChars, trackingKinds, trackingToken } from "@/lib/delivery/message/proven-ids"

const hmacWith = (key: string) => (purpose: string, text: string | Uint8Array) =>
  createHmac("sha256", `${key}${purpose}`).update(text).digest()
const ours = hmacWith("ours")

const token = fc.record({
  kind: fc.constantFrom(...trackingKinds),
  deliveryId: fc.uuid(),
  number: fc.integer({ min: 0, max: 65_535 }),
})

test("a token gives back what it was made of, in 48 characters that fit into a path", () => {
  fc.assert(
    fc.property(token, (given) => {
      const text = trackingToken(given, ours)
      expect(text).toMatch(/^[\w-]{48}$/)
      expect(text).toHaveLength(tokenChars)
      expect(readTrackingToken(text, ours)).toEqual(given)
    }),
  )
})

test("a token with any character changed, of another key, of another length or made up is none", () => {
  fc.assert(
    fc.property(token, fc.nat(47), fc.stringMatching(/^[\w-]{0,200}$/), (given, at, made) => {
      const text = trackingToken(given, ours)
      const flipped = `${text.slice(0, at)}${text[at] === "A" ? "B" : "A"}${text.slice(at + 1)}`
      for (const forged of [flipped, text.slice(1), `${text}A`, made, trackingToken(given, hmacWith("theirs"))])
        expect(readTrackingToken(forged, ours)).toBeNull()
    }),
  )
})
