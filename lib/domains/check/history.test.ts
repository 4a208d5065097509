import { expect, it } from "vitest"
import { looksOf, type KeptFinding, type KeptLook } from "@/lib/domains/check/history"

const at = (second: number) => new Date(Date.UTC(2026, 10, 21, 14, 0, second))
const look = (second: number, ...findings: KeptFinding[]): KeptLook => ({ at: at(second), status: "pending", findings })
const quoted = { code: "quoted" as const, sentence: "It is quoted.", mend: "Drop the quotes." }

it("the first look shows what differs from waiting", () => {
  const [first] = looksOf([look(1, { key: "dkim-a", status: "verified" }, { key: "dmarc", status: "pending" })], 10)
  expect(first).toEqual({ at: at(1), status: "pending", changes: [{ record: "dkim-a", status: "verified" }] })
})

it("a look shows only what differs from the one before it, a new mistake included", () => {
  const earlier = look(1, { key: "dkim-a", status: "verified" }, { key: "mail-from-spf", status: "pending" })
  const later = look(
    2,
    { key: "dkim-a", status: "verified" },
    { key: "mail-from-spf", status: "pending", mistake: quoted },
  )
  expect(looksOf([later, earlier], 10)[0]?.changes).toEqual([
    { record: "mail-from-spf", status: "pending", mistake: quoted },
  ])
})

it("a look that shows nothing new stays in the list with no changes", () => {
  const same = { key: "dkim-a" as const, status: "verified" as const }
  expect(looksOf([look(2, same), look(1, same)], 10).map(({ changes }) => changes.length)).toEqual([0, 1])
})

it("the oldest of the shown looks is compared with the one that is not shown", () => {
  const same = { key: "dkim-a" as const, status: "verified" as const }
  expect(looksOf([look(2, same), look(1, same)], 1)).toEqual([{ at: at(2), status: "pending", changes: [] }])
})
