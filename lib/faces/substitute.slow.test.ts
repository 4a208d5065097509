import { expect, test } from "vitest"
import { measured } from "@/e2e/support/measured"
import { substituted } from "@/lib/faces/substitute"

const alike = (count: number, nameAt: (length: number) => string) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [nameAt(at + 1), "x"]))

test.each([
  ["that begin alike", alike(130, (length) => `${"a".repeat(length)}b`)],
  ["that end alike", alike(130, (length) => `b${"a".repeat(length)}`)],
])("1 MB of text is filled in time linear in it with names %s", measured, (_, values) => {
  const startedAt = process.cpuUsage()
  expect(substituted("a".repeat(1_000_000), values, "/html")).toHaveLength(1_000_000)
  const { user, system } = process.cpuUsage(startedAt)
  expect((user + system) / 1_000, "milliseconds").toBeLessThan(500)
})
