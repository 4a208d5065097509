import { expect, test } from "vitest"
import { fromOf, chosenSender, sendersOf } from "@/components/compose/recipients-card"

test.each([
  ["Acme <hello@acme.test>", { name: "Acme", local: "hello", domain: "acme.test" }],
  ["hello@acme.test", { name: "", local: "hello", domain: "acme.test" }],
  ['"Acme, Inc." <a@acme.test>', { name: "Acme, Inc.", local: "a", domain: "acme.test" }],
])("%s is shown in its parts, and put together again as it was", (from, parts) => {
  expect(chosenSender(from)).toEqual(parts)
  expect(fromOf(parts)).toBe(from)
})

test("no sender has no parts, and without a local part there is none", () => {
  expect(chosenSender("")).toEqual({ name: "", local: "", domain: "" })
  expect(fromOf({ name: "Acme", local: " ", domain: "acme.test" })).toBe("")
})

test("senders used before are those of domains that can send, once each, newest first", () => {
  const domains = [
    { domain: "acme.test", status: "verified" },
    { domain: "shaky.test", status: "degraded" },
    { domain: "new.test", status: "pending" },
  ]
  const emails = ["B <b@acme.test>", "a@new.test", "c@shaky.test", "B <b@acme.test>", "x@gone.test"]
  expect(
    sendersOf(
      emails.map((from) => ({ from })),
      domains,
    ),
  ).toEqual(["B <b@acme.test>", "c@shaky.test"])
})
