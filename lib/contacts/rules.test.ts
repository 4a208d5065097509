import fc from "fast-check"
import { expect, test } from "vitest"
import { engagementScoreOf, propertyFaults, shownProperties, contactFieldNames } from "@/lib/contacts/rules"
import { readFileSync } from "node:fs"
import { columnOf } from "@/lib/platform/database/shape"

const nothing = { sent: 0, delivered: 0, opened: 0, clicked: 0, bounced: 0, complained: 0, idleDays: null }

test("the score stays within 0 and 100 and its tier follows it", () => {
  const counts = fc.record({
    sent: fc.nat(100),
    delivered: fc.nat(100),
    opened: fc.nat(100),
    clicked: fc.nat(100),
    bounced: fc.nat(100),
    complained: fc.nat(3),
    idleDays: fc.option(fc.nat(200)),
  })
  fc.assert(
    fc.property(counts, (engagement) => {
      const { score, tier } = engagementScoreOf(engagement)
      expect(score).toBeGreaterThanOrEqual(0)
      expect(score).toBeLessThanOrEqual(100)
      if (tier !== "new") expect(tier).toBe(score >= 75 ? "hot" : score >= 50 ? "warm" : score >= 25 ? "cool" : "cold")
    }),
  )
})

test("who reads and clicks is hot, who only reads is warm, who reads no more cools down, who complains is cold", () => {
  const reader = { ...nothing, sent: 10, delivered: 10, opened: 10, idleDays: 1 }
  expect(engagementScoreOf({ ...reader, clicked: 5 })).toEqual({ score: 99, tier: "hot" })
  expect(engagementScoreOf(reader).tier).toBe("warm")
  expect(engagementScoreOf({ ...reader, idleDays: 80 }).tier).toBe("cool")
  expect(engagementScoreOf({ ...nothing, sent: 10, delivered: 10 })).toEqual({ score: 0, tier: "cold" })
  expect(engagementScoreOf({ ...reader, clicked: 5, complained: 1 })).toEqual({ score: 0, tier: "cold" })
  expect(engagementScoreOf({ ...nothing, sent: 2, delivered: 2 }).tier).toBe("new")
  expect(engagementScoreOf({ ...nothing, sent: 1, delivered: 1, opened: 1, idleDays: 0 }).tier).toBe("warm")
})

test("only declared properties pass, and names of Object's own are no back door", () => {
  const declared = new Map([
    ["constructor", { fallback: null }],
    ["plan", { fallback: "free" }],
  ])
  const check = { declared, faultOf: () => null }
  expect(propertyFaults({ plan: "pro", constructor: "x" }, check)).toEqual([])
  expect(propertyFaults({ toString: "x", "a/b~c": "y" }, check).map(({ pointer }) => pointer)).toEqual([
    "/properties/toString",
    "/properties/a~1b~0c",
  ])
  expect(propertyFaults({ plan: "é".repeat(26_000) }, check)).toEqual([
    { pointer: "/properties", detail: expect.any(String) },
  ])
  expect(shownProperties({ gone: "1" }, declared)).toEqual({ plan: "free" })
  expect(shownProperties({ plan: "" }, declared)).toEqual({ plan: "" })
})

const sqlOf = (name: string) => readFileSync(`prisma/functions/${name}.sql`, "utf8")

test("a change of any text field of a contact moves its updated_at", () => {
  const trigger = /BEFORE UPDATE OF ([^;]*?) ON contacts\b/.exec(sqlOf("touch"))
  expect(trigger?.[1]?.split(/,\s*/)).toEqual(expect.arrayContaining(contactFieldNames.map(columnOf)))
})

test.each(contactFieldNames)(
  "webhooks are told of %s when a contact is created, changed, and changed in it",
  (field) => {
    const [sql, column] = [sqlOf("announce_contacts"), columnOf(field)]
    expect(sql.split(`'${field}', n.${column},`)).toHaveLength(3)
    expect(sql).toContain(`CASE WHEN n.${column} IS DISTINCT FROM o.${column} THEN '${field}' END`)
  },
)
