import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { Filter } from "@/lib/segments/schema"
import { type Condition, conditionsOf } from "@/lib/segments/rules"
import { filters } from "@/e2e/support/segments/filters"
import {
  conditionOn,
  fieldChoices,
  fieldOf,
  isComplete,
  operatorChoices,
  filterSentence,
  withOperator,
  type Known,
} from "@/components/segments/conditions"

const known: Known = {
  projectId: "proj_01k9q3f7c2e8m9v4x6y8z0a1b3",
  properties: [
    { id: "prop_plan", key: "plan", type: "string" },
    { id: "prop_age", key: "age", type: "number" },
    { id: "prop_member", key: "member", type: "boolean" },
    { id: "prop_joined", key: "joined", type: "date" },
  ],
  topics: [{ id: "top_01k9q3f7c2e8m9v4x6y8z0a1b3", name: "News" }],
  segments: [{ id: "seg_01k9q3f7c2e8m9v4x6y8z0a1b3", name: "Readers" }],
}
const choices = fieldChoices(known).flatMap((group) => group.choices)

describe("the builder", () => {
  test("offers for each field only operators that the API takes, and fills in what they need", () => {
    for (const { value } of choices) {
      const begun = conditionOn(value, known)
      expect(fieldOf(begun)).toBe(value)
      for (const operator of operatorChoices(begun, known)) {
        const condition = withOperator(begun, operator.value, known)
        const filled = "value" in condition && condition.value === "" ? { ...condition, value: "x" } : condition
        expect(Filter.safeParse({ all: [filled] }).error?.issues ?? [], `${value} ${operator.value}`).toEqual([])
        expect(operator.label).not.toMatch(/_/)
      }
    }
  })

  test("calls what a contact does with email its activity", () => {
    expect(choices.find(({ value }) => value === "engagement")?.label).toBe("Email activity")
  })

  test("says dates and yes or no without quotes", () => {
    const sentence = (condition: object) => filterSentence({ all: [{ field: "property", ...condition } as Condition] })
    expect(sentence({ key: "joined", operator: "before", value: "2026-03-31" })).toBe("joined before 2026-03-31")
    expect(sentence({ key: "joined", operator: "within_days", days: 7 })).toBe("joined in the last 7 days")
    expect(sentence({ key: "member", operator: "equals", value: false })).toBe("member is no")
  })

  test("keeps a value over a change of operator, and asks nothing while one is empty", () => {
    const named = { field: "firstName", operator: "contains", value: "ada" } as const
    expect(withOperator(named, "starts_with", known)).toEqual({ ...named, operator: "starts_with" })
    expect(withOperator(named, "is_set", known)).toEqual({ field: "firstName", operator: "is_set" })
    expect(isComplete({ all: [named, { any: [{ ...named, value: "" }] }] })).toBe(false)
    expect(isComplete({ all: [] })).toBe(false)
    const recent = { field: "engagement", event: "opened", operator: "within_days", days: 1 } as const
    expect(isComplete({ all: [recent] })).toBe(true)
    expect(isComplete({ all: [{ ...recent, days: 0 }] })).toBe(false)
    expect(isComplete({ all: [named] })).toBe(true)
  })

  test("says every filter as a sentence", () => {
    expect(
      filterSentence(
        {
          all: [
            { field: "property", key: "plan", operator: "equals", value: "pro" },
            {
              any: [
                { field: "engagement", event: "opened", operator: "within_days", days: 30 },
                { field: "topic", topicId: known.topics[0]?.id ?? "", operator: "is", value: "opt_in" },
              ],
            },
            { none: [{ field: "unsubscribed", operator: "is", value: true }] },
            { field: "segment", segmentId: known.segments[0]?.id ?? "", operator: "not_in" },
          ],
        },
        known,
      ),
    ).toBe(
      "plan is “pro” and (opened an email in the last 30 days or gets News) and (not (is unsubscribed)) and is not in Readers",
    )
    fc.assert(
      fc.property(filters(), (filter) => {
        expect(filterSentence(filter).length).toBeGreaterThan(conditionsOf(filter).length)
      }),
    )
  })
})
