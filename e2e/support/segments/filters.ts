import fc from "fast-check"
import { encodeId } from "@/lib/platform/ids"
import * as rules from "@/lib/segments/rules"

export type Pools = {
  texts: fc.Arbitrary<string>
  keys: readonly string[]
  numberKeys: readonly string[]
  booleanKeys: readonly string[]
  dateKeys: readonly string[]
  topics: readonly string[]
  segments: readonly string[]
}

const anyPools: Pools = {
  texts: fc.string({ minLength: 1, maxLength: 40 }).filter((text) => !text.includes("\0")),
  keys: ["plan", "city", "' OR 1=1--", "a$1"],
  numberKeys: ["age", "plan"],
  booleanKeys: ["member", "plan"],
  dateKeys: ["joined", "plan"],
  topics: [
    encodeId("top", "01890a5d-ac96-774b-bcce-b302099a8057"),
    encodeId("top", "01890a5d-ac96-774b-bcce-b302099a8058"),
  ],
  segments: [encodeId("seg", "01890a5d-ac96-774b-bcce-b302099a8059")],
}

/** Valid conditions of every kind. */
export function conditions({
  texts,
  keys,
  numberKeys,
  booleanKeys,
  dateKeys,
  topics,
  segments,
}: Pools = anyPools): fc.Arbitrary<rules.Condition> {
  const days = fc.integer({ min: 1, max: rules.daysMax })
  const value = fc.oneof(texts, fc.constantFrom("' OR 1=1--", "(a+)+$", "%%%%_", "$1", "*/;--", "\\"))
  const instant = fc
    .date({ min: new Date("2020-01-01"), max: new Date("2030-01-01"), noInvalidDate: true })
    .map((date) => date.toISOString())
  const number = fc.oneof(fc.integer({ min: -100, max: 100 }), fc.double({ noNaN: true, noDefaultInfinity: true }))
  return fc.oneof(
    fc.record({
      field: fc.constantFrom(...rules.textFields),
      operator: fc.constantFrom(...rules.textOperators),
      value,
    }),
    fc.record({ field: fc.constantFrom(...rules.textFields), operator: fc.constantFrom(...rules.presences) }),
    fc.record({
      field: fc.constantFrom(...rules.timeFields),
      operator: fc.constantFrom("before" as const, "after" as const),
      value: instant,
    }),
    fc.record({ field: fc.constantFrom(...rules.timeFields), operator: fc.constantFrom(...rules.dayWindows), days }),
    fc.record({
      field: fc.constant("unsubscribed" as const),
      operator: fc.constant("is" as const),
      value: fc.boolean(),
    }),
    ...Object.entries(rules.choices).map(([field, values]) =>
      fc.record({
        field: fc.constant(field as rules.ChoiceField),
        operator: fc.constantFrom(...rules.choiceOperators),
        value: fc.constantFrom(...(values as readonly string[])),
      }),
    ),
    fc.record({
      field: fc.constant("property" as const),
      key: fc.constantFrom(...keys),
      operator: fc.constantFrom(...rules.textOperators),
      value,
    }),
    fc.record({
      field: fc.constant("property" as const),
      key: fc.constantFrom(...numberKeys),
      operator: fc.constantFrom(...rules.numberOperators),
      value: number,
    }),
    fc.record({
      field: fc.constant("property" as const),
      key: fc.constantFrom(...booleanKeys),
      operator: fc.constantFrom(...rules.booleanOperators),
      value: fc.boolean(),
    }),
    fc.record({
      field: fc.constant("property" as const),
      key: fc.constantFrom(...dateKeys),
      operator: fc.constantFrom(...rules.booleanOperators, ...rules.timeOperators),
      value: instant.map((text) => text.slice(0, 10)),
    }),
    fc.record({
      field: fc.constant("property" as const),
      key: fc.constantFrom(...dateKeys),
      operator: fc.constantFrom(...rules.dayWindows),
      days,
    }),
    fc.record({
      field: fc.constant("property" as const),
      key: fc.constantFrom(...keys, ...numberKeys, ...booleanKeys, ...dateKeys),
      operator: fc.constantFrom(...rules.presences),
    }),
    fc.record({
      field: fc.constant("topic" as const),
      topicId: fc.constantFrom(...topics),
      operator: fc.constantFrom(...rules.choiceOperators),
      value: fc.constantFrom("opt_in" as const, "opt_out" as const),
    }),
    fc.record({
      field: fc.constant("segment" as const),
      segmentId: fc.constantFrom(...segments),
      operator: fc.constantFrom(...rules.memberships),
    }),
    fc.record({
      field: fc.constant("engagement" as const),
      event: fc.constantFrom(...rules.engagementEvents),
      operator: fc.constantFrom(...rules.dayWindows),
      days,
    }),
  ) as fc.Arbitrary<rules.Condition>
}

/** Filters of up to three levels. */
export function filters(pools: Pools = anyPools): fc.Arbitrary<rules.Group> {
  const group = (node: fc.Arbitrary<rules.Node>): fc.Arbitrary<rules.Group> =>
    fc
      .tuple(fc.constantFrom(...rules.quantifiers), fc.array(node, { minLength: 1, maxLength: 3 }))
      .map(([quantifier, nodes]) => ({ [quantifier]: nodes }))
  const condition = conditions(pools)
  const inner = group(fc.oneof({ weight: 3, arbitrary: condition }, { weight: 1, arbitrary: group(condition) }))
  return group(fc.oneof({ weight: 2, arbitrary: condition }, { weight: 1, arbitrary: inner }))
}
