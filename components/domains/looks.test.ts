import { expect, it } from "vitest"
import { lookLines } from "@/components/domains/looks"
import type { Look } from "@/components/domains/types"

const look = (second: number, status: string, ...changes: Look["changes"]): Look => ({
  at: `2026-11-21T14:02:${String(second).padStart(2, "0")}.000Z`,
  status,
  changes,
})

it("each change of a look is a line of its own, with the mistake in words", () => {
  const mistake = { code: "quoted", sentence: "The value carries quotation marks of its own.", mend: "Drop them." }
  const lines = lookLines([
    look(
      1,
      "pending",
      { record: "dkim-a", status: "verified" },
      { record: "mail-from-spf", status: "pending", mistake },
    ),
  ])
  expect(lines.map(({ word, text }) => `${word}: ${text}`)).toEqual([
    "Verified: DKIM key a found",
    "Not yet: MAIL FROM SPF: The value carries quotation marks of its own.",
  ])
})

it("a look at which the domain turned says so first", () => {
  const [first] = lookLines([look(2, "verified", { record: "mail-from-mx", status: "verified" }), look(1, "pending")])
  expect(first?.text).toBe("The domain is verified: you can send from it")
})

it("the last look of a page that goes on says nothing about the domain's turn, which lies on the next", () => {
  const looks = [look(2, "verified"), look(1, "verified")]
  expect(lookLines(looks).map(({ text }) => text)[1]).toBe("The domain is verified: you can send from it")
  expect(lookLines(looks, true).map(({ text }) => text)[1]).toBe("Looked everything up: all as before")
})

it("a record that was there and is not any more has vanished; one that never was is only waited for", () => {
  const gone = { record: "dkim-a", status: "pending" }
  const lines = lookLines([look(2, "pending", gone), look(1, "pending", { record: "dkim-a", status: "verified" })])
  expect(lines[0]).toMatchObject({ word: "Vanished", tone: "warn" })
  expect(lookLines([look(1, "pending", gone)])[0]).toMatchObject({ word: "Waiting", tone: "wait" })
})

it("a look that was asked for and showed nothing new still has its line", () => {
  expect(lookLines([look(1, "pending")])).toMatchObject([{ text: "Looked everything up: all as before", tone: "wait" }])
})
