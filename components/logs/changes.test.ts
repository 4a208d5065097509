import { expect, test } from "vitest"
import { changeRows } from "@/components/logs/changes"

test("shows what differs, with the value before", () => {
  expect(changeRows({ before: { url: "https://a.example", name: "A" }, after: { url: null, name: "A" } })).toEqual([
    { name: "url", before: "https://a.example", after: "nothing" },
  ])
  expect(changeRows({ role: { before: "viewer", after: "admin" } })).toEqual([
    { name: "role", before: "viewer", after: "admin" },
  ])
  expect(changeRows({ before: 1, after: 2 })).toEqual([{ name: "value", before: "1", after: "2" }])
})

test("shows a value alone where nothing is known of the one before", () => {
  expect(changeRows({ name: "Checkout", permissions: ["emails:send", "emails:read"], filter: { all: [] } })).toEqual([
    { name: "name", after: "Checkout" },
    { name: "permissions", after: "emails:send, emails:read" },
    { name: "filter", after: '{"all":[]}' },
  ])
  expect(changeRows(undefined)).toEqual([])
})
