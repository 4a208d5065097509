import { expect, it } from "vitest"
import { sameAgain } from "@/lib/delivery/message/dkim"

function counted(limits = { least: 2, most: 100 }) {
  const computed: string[] = []
  const compute = sameAgain(
    (body: string) => {
      computed.push(body)
      return body.toUpperCase()
    },
    (one, other) => one === other,
    limits,
  )
  return { compute, computed }
}

it("computes the same body once while few others come between, and always says what its own body gives", () => {
  const { compute, computed } = counted()
  const bodies = ["first", "other", "first", "third", "other", "first"]
  expect(bodies.map(compute)).toEqual(["FIRST", "OTHER", "FIRST", "THIRD", "OTHER", "FIRST"])
  expect(computed).toEqual(["first", "other", "third"])
})

it("keeps the last four alone", () => {
  const { compute, computed } = counted()
  for (const body of ["aa", "bb", "cc", "dd", "ee", "aa"]) compute(body)
  expect(computed).toEqual(["aa", "bb", "cc", "dd", "ee", "aa"])
})

it("keeps no body that is small or too large", () => {
  const { compute, computed } = counted({ least: 2, most: 3 })
  for (const body of ["a", "a", "aaaa", "aaaa"]) compute(body)
  expect(computed).toEqual(["a", "a", "aaaa", "aaaa"])
})
