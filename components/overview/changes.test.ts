import { expect, it } from "vitest"
import { countChange, rateChange } from "@/components/overview/changes"

it("a count is told in percent of the one before, and only against something", () => {
  expect(countChange(112, 100, "more")).toEqual({ text: "+12 %", tone: "good" })
  expect(countChange(50, 100, "more")).toEqual({ text: "−50 %", tone: "bad" })
  expect(countChange(120, 100, "less")?.tone).toBe("bad")
  expect(countChange(120, 100, "either")?.tone).toBe("wait")
  expect(countChange(100, 100, "more")).toEqual({ text: "no change", tone: "wait" })
  expect(countChange(3_000, 100, "either")?.text).toBe("+30 ×")
  expect(countChange(1_001, 1_000, "more")?.text).toBe("+under 1 %")
  expect(countChange(5, 0, "more")).toBeUndefined()
})

it("a rate is told in percentage points, so that 1 % to 2 % does not read as twice the success", () => {
  expect(rateChange({ rate: 0.98, base: 10 }, { rate: 0.95, base: 10 }, "more")).toEqual({
    text: "+3 points",
    tone: "good",
  })
  expect(rateChange({ rate: 0.002, base: 10 }, { rate: 0.001, base: 10 }, "less")).toEqual({
    text: "+0.10 points",
    tone: "bad",
  })
  expect(rateChange({ rate: 0.00072, base: 10 }, { rate: 0.0007, base: 10 }, "less")).toEqual({
    text: "no change",
    tone: "wait",
  })
  expect(rateChange({ rate: 0, base: 0 }, { rate: 0.1, base: 9 }, "less")).toBeUndefined()
})
