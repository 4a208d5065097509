import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { z } from "zod"
import { compileConditions, compileFilter } from "@/lib/segments/compile-sql"
import { Filter } from "@/lib/segments/schema"
import * as rules from "@/lib/segments/rules"
import { filters } from "@/e2e/support/segments/filters"

/** The same filter with every value replaced: what is left is its shape. */
function reshaped(node: rules.Node): rules.Node {
  if (rules.isGroup(node)) {
    const [quantifier, nodes] = rules.quantifierAndNodes(node)
    return { [quantifier]: nodes.map(reshaped) }
  }
  const one: Record<string, unknown> = { ...node }
  if (typeof one.value === "string") one.value = "x"
  if (typeof one.value === "number") one.value = 1
  if (typeof one.value === "boolean") one.value = true
  if ("days" in one) one.days = 1
  if ("key" in one) one.key = "k"
  if ("topicId" in one) one.topicId = "top_00000000000000000000000000"
  return one as rules.Condition
}

describe("a filter as SQL", () => {
  test("its text depends on its shape alone: it never contains a value, key or id", () => {
    fc.assert(
      fc.property(filters(), (filter) => {
        const { sql, values } = compileFilter(filter, ["project"])
        expect(sql).toBe(compileFilter(reshaped(filter) as rules.Group, ["project"]).sql)
        expect(sql.replaceAll(/'[^']*'/g, "")).not.toMatch(/--|;|\\/)
        expect(values[0]).toBe("project")
        const places = [...sql.matchAll(/\$(\d+)/g)].map(([, place]) => Number(place))
        expect(new Set(places)).toEqual(new Set(values.slice(1).map((_, at) => at + 2)))
      }),
      { numRuns: 500 },
    )
  })

  test("its conditions are listed in the order of their pointers", () => {
    fc.assert(
      fc.property(filters(), (filter) => {
        expect(compileConditions(filter, []).sql).toHaveLength(rules.conditionsOf(filter).length)
      }),
    )
  })

  test("it holds as its groups say, whatever its conditions do", () => {
    const one = { field: "unsubscribed", operator: "is", value: true } as const
    const filter = { all: [one, { any: [one, one] }, { none: [one] }] }
    const pointers = ["/all/0", "/all/1/any/0", "/all/1/any/1", "/all/2/none/0"]
    expect(rules.conditionsOf(filter).map(({ pointer }) => pointer)).toEqual(pointers)
    expect(rules.matchesFilter(filter, new Set(["/all/0", "/all/1/any/1"]))).toBe(true)
    expect(rules.matchesFilter(filter, new Set(["/all/0"]))).toBe(false)
    expect(rules.matchesFilter(filter, new Set(pointers))).toBe(false)
  })
})

describe("the form of a filter", () => {
  const one = { field: "email", operator: "equals", value: "a@x.example" }
  const faultsOf = (filter: unknown) =>
    (Filter.safeParse(filter).error?.issues ?? []).map(({ path, message }) => [`/${path.join("/")}`, message])
  const nested = (depth: number): unknown => (depth === 0 ? one : { all: [nested(depth - 1)] })

  test("takes every valid filter and gives it back as it was", () => {
    fc.assert(
      fc.property(filters(), (filter) => {
        expect(z.encode(Filter, Filter.parse(filter))).toEqual(filter)
      }),
    )
  })

  test("five levels and a hundred conditions are the most", () => {
    expect(faultsOf(nested(5))).toEqual([])
    expect(faultsOf(nested(6))).toEqual([["/", "Groups may be nested 5 levels deep."]])
    expect(faultsOf(nested(60))).toEqual([["/", "Groups may be nested 5 levels deep."]])
    const wide = (count: number) => ({
      any: [{ all: Array.from({ length: 50 }, () => one) }, { all: Array.from({ length: count - 50 }, () => one) }],
    })
    expect(faultsOf(wide(100))).toEqual([])
    expect(faultsOf(wide(101))).toEqual([["/", "A filter may hold 100 conditions."]])
  })

  test.each([
    [{}, "/"],
    [{ all: [] }, "/all"],
    [{ all: [one], any: [one] }, "/"],
    [one, "/"],
    [{ all: ["x"] }, "/all/0"],
    [{ all: [one, { none: [{ ...one, operator: "matches" }] }] }, "/all/1/none/0/operator"],
    [{ all: [{ ...one, field: "password_hash" }] }, "/all/0/field"],
    [{ all: [{ ...one, value: "x".repeat(501) }] }, "/all/0/value"],
    [{ all: [{ field: "email", operator: "equals" }] }, "/all/0/value"],
    [{ all: [{ field: "email", operator: "is_set", value: "x" }] }, "/all/0/value"],
    [{ all: [{ field: "engagement", event: "opened", operator: "within_days", days: 366 }] }, "/all/0/days"],
    [{ all: [{ field: "createdAt", operator: "before", value: "yesterday" }] }, "/all/0/value"],
    [{ all: [{ field: "createdAt", operator: "within_days", value: "2026-01-01T00:00:00Z" }] }, "/all/0/days"],
    [{ all: [{ field: "property", key: "age", operator: "at_least", value: "5" }] }, "/all/0/operator"],
    [{ all: [{ field: "property", key: "age", operator: "contains", value: 5 }] }, "/all/0/operator"],
    [{ all: [{ field: "validationStatus", operator: "is", value: "nice" }] }, "/all/0/value"],
  ])("%j is refused at %s", (filter, pointer) => {
    expect(faultsOf(filter).map(([at]) => at)).toContain(pointer)
  })

  test("an unknown field of a condition is a fault of its own", () => {
    expect(Filter.safeParse({ all: [{ ...one, surprise: 1 }] }).error?.issues[0]).toMatchObject({
      code: "unrecognized_keys",
      keys: ["surprise"],
      path: ["all", 0],
    })
  })
})
