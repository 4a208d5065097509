import { expect, it } from "vitest"
import { checkLines } from "@/components/domains/checks"
import type { DomainCheck } from "@/components/domains/queries"

const check = (second: number, status: string, ...changes: DomainCheck["changes"]): DomainCheck => ({
  at: `2026-11-21T14:02:${String(second).padStart(2, "0")}.000Z`,
  status,
  changes,
})

it("each change that a check found is a line of its own, with its likely cause", () => {
  const likelyCause = { code: "quoted", message: "The value contains quotation marks.", fix: "Drop them." }
  const lines = checkLines([
    check(
      1,
      "pending",
      { record: "dkim-a", status: "verified" },
      { record: "mail-from-spf", status: "pending", likelyCause },
    ),
  ])
  expect(lines.map(({ word, text }) => `${word}: ${text}`)).toEqual([
    "Found: DKIM key found",
    "Needs a fix: MAIL FROM SPF: The value contains quotation marks.",
  ])
})

it("records with the same news share a line", () => {
  const twice = { code: "doubled-zone", message: "Found twice.", fix: "Enter send." }
  const lines = checkLines(
    [
      check(
        2,
        "pending",
        { record: "dkim-a", status: "verified" },
        { record: "mail-from-mx", status: "pending", likelyCause: twice },
        { record: "dkim-b", status: "verified" },
        { record: "mail-from-spf", status: "pending", likelyCause: twice },
      ),
    ],
    false,
    "dkim-b",
  )
  expect(lines.map(({ text }) => text)).toEqual([
    "DKIM key and DKIM standby key found",
    "MAIL FROM MX: Found twice. The same for MAIL FROM SPF.",
  ])
})

it("a check that changed the domain's status says so first", () => {
  const [first] = checkLines([
    check(2, "verified", { record: "mail-from-mx", status: "verified" }),
    check(1, "pending"),
  ])
  expect(first?.text).toBe("The domain is verified: you can send from it")
})

it("the last check of a page with a next one does not claim a status change, which is on the next page", () => {
  const checks = [check(2, "verified"), check(1, "verified")]
  expect(checkLines(checks).map(({ text }) => text)[1]).toBe("The domain is verified: you can send from it")
  expect(checkLines(checks, true).map(({ text }) => text)[1]).toBe("Nothing changed")
})

it("a record that was found before is missing; one that never was is not found", () => {
  const gone = { record: "dkim-a", status: "pending" }
  const lines = checkLines([check(2, "pending", gone), check(1, "pending", { record: "dkim-a", status: "verified" })])
  expect(lines[0]).toMatchObject({ word: "Missing", tone: "warn" })
  expect(checkLines([check(1, "pending", gone)])[0]).toMatchObject({ word: "Not found", tone: "wait" })
})

it("a check that somebody ran and that found no change still has its line", () => {
  const [again, first] = checkLines([check(2, "pending"), check(1, "pending")])
  expect(again).toMatchObject({ text: "Nothing changed", tone: "wait" })
  expect(first).toMatchObject({ text: "First check: no records yet", tone: "wait" })
})
