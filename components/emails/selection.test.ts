import { expect, it } from "vitest"
import { extended, isCancellable, isRepeatable, nothingSelected, withToggled } from "@/components/emails/selection"
import { emailStatuses } from "@/lib/emails/message-rules"

const rows = ["a", "b", "c", "d", "e"]

it("a range reaches from the last choice to the row, in both directions, and keeps what was chosen before", () => {
  const one = withToggled(withToggled(nothingSelected, "a"), "d")
  expect(extended(one, rows, "b").ids).toEqual(["a", "d", "b", "c"])
  expect(extended(withToggled(nothingSelected, "c"), rows, "e").ids).toEqual(["c", "d", "e"])
  expect(extended(nothingSelected, rows, "b").ids).toEqual(["b"])
})

it("choosing one row twice drops it, and a range from a row that is gone begins at the row itself", () => {
  expect(withToggled(withToggled(nothingSelected, "a"), "a").ids).toEqual([])
  expect(extended({ ...nothingSelected, anchor: "gone" }, rows, "c").ids).toEqual(["c"])
})

it("no status allows both to cancel and to send again", () => {
  for (const status of emailStatuses) expect(isCancellable(status) && isRepeatable(status)).toBe(false)
})
