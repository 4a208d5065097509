import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { bestRoute, plusOf, routePattern } from "@/lib/inbound/route-rules"

const routes = ["*", "support", "support+*", "support+vip+*"].map((pattern) => ({ pattern }))

describe("the route of an address", () => {
  test.each([
    ["support", "support"],
    ["support+1", "support+*"],
    ["support+vip+1", "support+vip+*"],
    ["support+vip", "support+*"],
    ["supporter", "*"],
    ["a", "*"],
  ])("%s: the address itself, else the longest prefix, else all", (local, pattern) => {
    expect(bestRoute(routes, local)?.pattern).toBe(pattern)
    expect(bestRoute(routes.toReversed(), local)?.pattern).toBe(pattern)
  })

  test("is none where no pattern takes it", () => {
    expect(bestRoute([{ pattern: "support" }, { pattern: "reply+*" }], "reply")).toBeNull()
  })
})

test("a pattern has one of three forms, in lower case", () => {
  expect(["Support", "reply+*", "*", "a.b+c+*"].map(routePattern)).toEqual(["support", "reply+*", "*", "a.b+c+*"])
  const refused = ["", "a*", "*a", "+*", ".a", "a..b", "a.", "a@b", "a b", "**", "é", `${"a".repeat(65)}`, "a\r\nb"]
  expect(refused.filter((text) => routePattern(text) !== null)).toEqual([])
})

test("a pattern that is an address takes it alone", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z0-9]{1,20}$/), fc.string({ maxLength: 30 }), (local, other) => {
      const pattern = routePattern(local) ?? ""
      expect(bestRoute([{ pattern }], other) !== null).toBe(other === local)
    }),
  )
})

test.each([
  ["reply+*", "reply+42", "42"],
  ["reply+*", "Reply+Abc", "Abc"],
  ["a+b+*", "a+b+c", "c"],
  ["*", "x+y+z", "y+z"],
  ["support", "support", null],
  ["reply+*", "reply+", null],
  [null, "a+b", "b"],
])("of %s and %s the plus is %s", (pattern, local, plus) => {
  expect(plusOf(pattern, local)).toBe(plus)
})
