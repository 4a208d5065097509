import { expect, it } from "vitest"
import { copiedValue } from "@/components/domains/missing-records"
import type { ShownRecord } from "@/components/domains/records"

const spf: ShownRecord = {
  key: "mail-from-spf",
  name: "send.acme.com",
  type: "TXT",
  value: "v=spf1 include:spf.mailroom.test ~all",
  status: "pending",
}
const mistake = (code: string, foundAt?: string) => ({
  likelyCause: { code, message: "", fix: "", ...(foundAt ? { foundAt } : {}) },
})
const copied = (over: Partial<ShownRecord>) => copiedValue({ ...spf, ...over }, "acme.com")

it("a record that is missing or has another value is replaced by its value", () => {
  const value = { what: "value", text: spf.value }
  expect(copied({})).toEqual(value)
  expect(copied(mistake("spf-syntax"))).toEqual(value)
})

it("a record at a wrong name asks for its host, relative to the zone", () => {
  expect(copied(mistake("doubled-zone", "send.acme.com.acme.com"))).toEqual({ what: "host", text: "send" })
  expect(copied({ ...mistake("wrong-host", "acme.com"), name: "acme.com" })).toEqual({ what: "host", text: "@" })
})

it("what the fix asks for is copied, not what would repeat the mistake", () => {
  expect(copied({ ...mistake("doubled-zone"), value: "mx.mailroom.test" })).toEqual({
    what: "value",
    text: "mx.mailroom.test.",
  })
  expect(copied(mistake("spf-not-passing"))).toEqual({ what: "term", text: "include:spf.mailroom.test" })
})

it("nothing is copied where something is to be deleted, or an old key is to stay", () => {
  for (const code of ["several-records", "extra-mx", "cname-in-the-way", "alias-loop"])
    expect(copied(mistake(code))).toBeNull()
  const retired = { value: "v=DKIM1; p=old", keepUntil: "2026-11-28T00:00:00.000Z" }
  expect(copied({ retired })).toBeNull()
  expect(copied({ retired, retiredOver: true })).not.toBeNull()
})
