import { expect, it } from "vitest"
import { headersOf, sizeWords } from "@/components/emails/message-source"

it("folded header fields come back as one line, in their order, and the body is left alone", () => {
  const raw = "Subject: Hi\r\nDKIM-Signature: v=1;\r\n\td=acme.com;\r\n s=a\r\nTo: a@b.example\r\n\r\nNot: a header\r\n"
  expect(headersOf(raw)).toEqual([
    { name: "Subject", value: "Hi" },
    { name: "DKIM-Signature", value: "v=1;\td=acme.com; s=a" },
    { name: "To", value: "a@b.example" },
  ])
})

it("a size is said in the unit that fits", () => {
  expect([512, 4100, 2_500_000].map(sizeWords)).toEqual(["512 bytes", "4.1 kB", "2.5 MB"])
})
