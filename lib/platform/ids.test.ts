import fc from "fast-check"
import { expect, test } from "vitest"
import { decodeId, encodeId, firstIdAt, newId } from "@/lib/platform/ids"

test("every uuid survives its public form, and nothing else decodes to it", () => {
  fc.assert(
    fc.property(fc.uuid(), (uuid) => {
      const text = encodeId("email", uuid)
      expect(text).toMatch(/^email_[0-7][0-9a-z]{25}$/)
      expect(decodeId("email", text)).toBe(uuid)
      expect(decodeId("con", text)).toBeNull()
      expect(decodeId("email", text.toUpperCase())).toBeNull()
    }),
  )
})

test("hostile text is no id and never throws", () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: "binary" }),
    fc.string().map((tail) => `email_${tail}`),
  )
  fc.assert(fc.property(text, (hostile) => void decodeId("email", hostile)))
  for (const wrong of ["", "email_", `email_${"8".repeat(26)}`, `email_${"i".repeat(26)}`, `email_${"0".repeat(27)}`]) {
    expect(decodeId("email", wrong)).toBeNull()
  }
})

test("fresh ids are strictly increasing and lie between the bounds of their time", () => {
  const before = firstIdAt(new Date())
  const ids = Array.from({ length: 5_000 }, newId)
  expect([...ids].sort()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids[0] && ids[0] > before).toBe(true)
})
