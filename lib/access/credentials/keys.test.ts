import { crc32 } from "node:zlib"
import fc from "fast-check"
import { expect, test } from "vitest"
import { hashOfKey, mintKey } from "@/lib/access/credentials/keys"
import { systemRandom } from "@/lib/platform/io"

test("a fresh key has the prefix, 32 random characters and a checksum that catches every single typo", () => {
  const { secret, start } = mintKey(systemRandom)
  expect(secret).toMatch(/^mr_live_[0-9A-Za-z]{38}$/)
  expect(start).toBe(secret.slice(0, 12))
  expect(hashOfKey(secret)).not.toBeNull()
  fc.assert(
    fc.property(
      fc.integer({ min: 8, max: secret.length - 1 }),
      fc.constantFrom(..."0123456789ABCXYZabcxyz"),
      (at, other) => {
        fc.pre(secret[at] !== other)
        expect(hashOfKey(secret.slice(0, at) + other + secret.slice(at + 1))).toBeNull()
      },
    ),
  )
})

test("a key of a cell names it, and keys with and without one are both keys", () => {
  const { secret, start } = mintKey(systemRandom, "eu1")
  expect(secret).toMatch(/^mr_live_eu1_[0-9A-Za-z]{38}$/)
  expect(start, "the cell and four characters").toBe(secret.slice(0, 16))
  expect(hashOfKey(secret)).not.toBeNull()
  expect(hashOfKey(secret.replace("eu1_", "eu2_")), "the checksum covers the cell").toBeNull()
  expect(hashOfKey(secret.replace("eu1_", ""))).toBeNull()
  expect(hashOfKey(mintKey(systemRandom).secret)).not.toBeNull()
})

test("the checksum is the CRC32 of prefix and random part, in base62 of six digits", () => {
  const { secret } = mintKey(systemRandom)
  const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
  const value = [...secret.slice(-6)].reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0)
  expect(value).toBe(crc32(secret.slice(0, -6)))
})

test("text of any other form is no key and costs no query", () => {
  for (const text of ["", "mr_live_", "MR_LIVE_x", `mr_live_${"a".repeat(38)}`, "x".repeat(8192)])
    expect(hashOfKey(text)).toBeNull()
})
