import fc from "fast-check"
import { expect, test } from "vitest"
import { base32, matchingStep, totpCode, totpStepAt, totpUri } from "@/lib/access/second-factor/codes"

const secret = Buffer.from("12345678901234567890")

// RFC 6238, appendix B, of which our codes are the last six digits.
test.each([
  [59, "94287082"],
  [1_111_111_109, "07081804"],
  [1_111_111_111, "14050471"],
  [1_234_567_890, "89005924"],
  [2_000_000_000, "69279037"],
  [20_000_000_000, "65353130"],
])("at %i s the code is that of the standard", (seconds, code) => {
  expect(totpCode(secret, totpStepAt(new Date(seconds * 1000)))).toBe(code.slice(-6))
})

// RFC 4648, section 10.
test.each([
  ["", ""],
  ["f", "MY"],
  ["fo", "MZXQ"],
  ["foo", "MZXW6"],
  ["foob", "MZXW6YQ"],
  ["fooba", "MZXW6YTB"],
  ["foobar", "MZXW6YTBOI"],
])("%j in base32 is %j", (text, encoded) => {
  expect(base32(Buffer.from(text))).toBe(encoded)
})

test("a code is accepted in its step and one beside it, and never again once it or a later one was used", () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 20, maxLength: 20 }),
      fc.nat(2 ** 40),
      fc.integer({ min: -3, max: 3 }),
      (key, ms, off) => {
        const at = new Date(ms + 1_000_000)
        const step = totpStepAt(at) + BigInt(off)
        const code = totpCode(key, step)
        const codesAround = [-1n, 0n, 1n].map((around) => totpCode(key, totpStepAt(at) + around))
        fc.pre(new Set([...codesAround, code]).size === (Math.abs(off) <= 1 ? 3 : 4))
        expect(matchingStep(key, code, { at, usedStep: null })).toBe(Math.abs(off) <= 1 ? step : null)
        expect(matchingStep(key, code, { at, usedStep: step })).toBeNull()
        expect(matchingStep(key, code, { at, usedStep: step + 1n })).toBeNull()
      },
    ),
  )
})

test.each(["", "12345", "1234567", "28708２", "abcdef", "287082\u0000"])("%j is no code", (code) => {
  expect(matchingStep(secret, code, { at: new Date(59_000), usedStep: null })).toBeNull()
})

test("the QR code names issuer and account, whatever characters they have", () => {
  const uri = new URL(totpUri(secret, { issuer: "mail.example.com", account: "a+b&c@example.com" }))
  expect(decodeURIComponent(uri.pathname)).toContain("mail.example.com:a+b&c@example.com")
  expect(Object.fromEntries(uri.searchParams)).toEqual({
    secret: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
    issuer: "mail.example.com",
  })
})
