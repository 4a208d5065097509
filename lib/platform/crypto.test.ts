import fc from "fast-check"
import { expect, test } from "vitest"
import { open, seal } from "@/lib/platform/crypto"

test("a sealed secret opens under its own address only, and no byte of it may change", () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.string(), fc.nat(), (secret, aad, at) => {
      const sealed = seal(secret, aad)
      expect(new Uint8Array(open(sealed, aad))).toEqual(secret)
      expect(() => open(sealed, `${aad}x`)).toThrow()
      const index = at % sealed.length
      sealed[index] = (sealed[index] ?? 0) ^ 1
      expect(() => open(sealed, aad)).toThrow()
    }),
  )
})

test("sealing twice gives different bytes, and the plain text is in neither", () => {
  const [a, b] = [seal("-----BEGIN PRIVATE KEY-----", "x"), seal("-----BEGIN PRIVATE KEY-----", "x")]
  expect(a.equals(b)).toBe(false)
  expect(a.includes("PRIVATE")).toBe(false)
})
