import { expect, test } from "vitest"
import { grantsOf } from "@/lib/access/credentials/identity-providers"

const mapping = [
  { group: "staff", organizationId: "one", role: "viewer" },
  { group: "mail", organizationId: "one", role: "admin" },
  { group: "staff", organizationId: "two", role: "developer" },
] as const

test("groups give the highest role in each organization, whatever the order of the groups", () => {
  for (const groups of [
    ["staff", "mail"],
    ["mail", "unknown", "staff"],
  ])
    expect(Object.fromEntries(grantsOf(groups, mapping))).toEqual({ one: "admin", two: "developer" })
  expect(Object.fromEntries(grantsOf(["staff"], mapping.toReversed()))).toEqual({ one: "viewer", two: "developer" })
})

test("a group counts by its whole name, and none gives nothing", () => {
  expect([...grantsOf(["Staff", "staff ", "sta"], mapping), ...grantsOf([], mapping)]).toEqual([])
})
