import { describe, expect, test } from "vitest"
import { personAddress } from "@/lib/addresses/address"
import { currentPasswordNeeded, landingPath } from "@/lib/access/rules"

describe("the page after signing in", () => {
  test.each([
    "//evil.test",
    "///evil.test",
    "/\\evil.test",
    "\\\\evil.test",
    "https:evil",
    "https://evil.test",
    "/%2f%2fevil.test",
    "/%5cevil.test",
    "javascript:alert(1)",
    "/%0d%0aSet-Cookie:a=b\r\n",
    "/\tevil",
    " //evil.test",
    "evil.test",
    "",
    "/..//evil.test",
    "/.//evil.test",
  ])("is never another origin: %j", (wanted) => {
    const path = landingPath(wanted)
    expect(new URL(path, "https://mail.example.com").origin).toBe("https://mail.example.com")
    expect(path).toMatch(/^\/(?![/\\])/)
    expect(decodeURIComponent(path)).toMatch(/^\/(?![/\\])/)
  })

  test.each(["/", "/projects/proj_1/emails?status=sent&page=2#top", "/projects/a%20b"])(
    "is the wanted path of ours: %s",
    (wanted) => {
      expect(landingPath(wanted)).toBe(wanted)
    },
  )
})

describe("the address of a person", () => {
  test.each([
    ["Owner@Example.COM", "owner@example.com"],
    ["  a.b+c@example.com ", "a.b+c@example.com"],
    ["me@bücher.example", "me@xn--bcher-kva.example"],
  ])("has one form: %s", (given, form) => expect(personAddress(given)).toBe(form))

  test.each([
    "",
    "a",
    "a@",
    "@b.example",
    "a@b",
    "a@x.example,b@x.example",
    "a b@x.example",
    "a@x.example\r\nBcc: b@x.example",
    '"a"@x.example',
  ])("is not %j", (given) => expect(personAddress(given)).toBeNull())
})

test("a new password is proved with the old one, but for a quarter of an hour after a sign-in link", () => {
  const createdAt = new Date("2026-01-01T00:00:00Z")
  const after = (minutes: number) => new Date(createdAt.getTime() + minutes * 60_000)
  expect(currentPasswordNeeded({ by: "password", createdAt }, after(1))).toBe(true)
  expect(currentPasswordNeeded({ by: "link", createdAt }, after(14))).toBe(false)
  expect(currentPasswordNeeded({ by: "link", createdAt }, after(16))).toBe(true)
})
