import { expect, it } from "vitest"
import { causeWords } from "@/lib/explanation/record-words"
import { checksOf, type StoredFinding, type StoredCheck } from "@/lib/domains/check/findings"

const at = (second: number) => new Date(Date.UTC(2026, 10, 21, 14, 0, second))
const check = (second: number, ...findings: StoredFinding[]): StoredCheck => ({
  at: at(second),
  status: "pending",
  findings,
})
const quoted = { code: "quoted", facts: {} } as const

it("the first check shows what differs from waiting", () => {
  const [first] = checksOf([check(1, { key: "dkim-a", status: "verified" }, { key: "dmarc", status: "pending" })], 10)
  expect(first).toEqual({ at: at(1), status: "pending", changes: [{ record: "dkim-a", status: "verified" }] })
})

it("a check shows only what differs from the one before it, a new likely cause included", () => {
  const earlier = check(1, { key: "dkim-a", status: "verified" }, { key: "mail-from-spf", status: "pending" })
  const later = check(
    2,
    { key: "dkim-a", status: "verified" },
    { key: "mail-from-spf", status: "pending", likelyCause: quoted },
  )
  expect(checksOf([later, earlier], 10)[0]?.changes).toEqual([
    { record: "mail-from-spf", status: "pending", likelyCause: causeWords(quoted) },
  ])
})

it("a check that shows nothing new stays in the list with no changes", () => {
  const same = { key: "dkim-a" as const, status: "verified" as const }
  expect(checksOf([check(2, same), check(1, same)], 10).map(({ changes }) => changes.length)).toEqual([0, 1])
})

it("the oldest of the shown checks is compared with the one that is not shown", () => {
  const same = { key: "dkim-a" as const, status: "verified" as const }
  expect(checksOf([check(2, same), check(1, same)], 1)).toEqual([{ at: at(2), status: "pending", changes: [] }])
})
