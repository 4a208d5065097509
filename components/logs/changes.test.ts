import { expect, test } from "vitest"
import { changeRows, fieldWords } from "@/components/logs/audit-log"

test("shows what differs, with the value before", () => {
  expect(changeRows({ before: { url: "https://a.example", name: "A" }, after: { url: null, name: "A" } })).toEqual([
    { name: "URL", before: "https://a.example", after: "nothing" },
  ])
  expect(changeRows({ role: { before: "viewer", after: "admin" } })).toEqual([
    { name: "Role", before: "viewer", after: "admin" },
  ])
  expect(changeRows({ role: { from: "viewer", to: "admin" } })).toEqual([
    { name: "Role", before: "viewer", after: "admin" },
  ])
  expect(changeRows({ before: 1, after: 2 })).toEqual([{ name: "Value", before: "1", after: "2" }])
})

test("shows a value alone where nothing is known of the one before", () => {
  expect(changeRows({ name: "Checkout", permissions: ["emails:send", "emails:read"], filter: { all: [] } })).toEqual([
    { name: "Name", after: "Checkout" },
    { name: "Permissions", after: "emails:send, emails:read" },
    { name: "Filter", after: '{"all":[]}' },
  ])
  expect(changeRows(undefined)).toEqual([])
})

test("shows times in the reader's zone, and a segment's filter as a sentence", () => {
  const filter = {
    all: [
      { field: "property", key: "city", operator: "equals", value: "Brennbach" },
      { field: "property", key: "orders", operator: "at_least", value: 3 },
    ],
  }
  const [expires, filtered] = changeRows({
    expiresAt: { before: null, after: "2026-11-24T11:33:48.103Z" },
    filter: { before: { all: [] }, after: filter },
  })
  expect(expires).toMatchObject({ before: "nothing", after: "24 Nov 2026, 11:33:48 UTC" })
  const inTokyo = changeRows({ expiresAt: "2026-11-24T16:33:48.103Z" }, "Asia/Tokyo")
  expect(inTokyo).toEqual([{ name: "Expires at", after: "25 Nov 2026, 01:33:48" }])
  expect(filtered).toMatchObject({ before: '{"all":[]}', after: "city is “Brennbach” and orders is at least 3" })
})

test("names the fields whose values are not kept in words as well", () => {
  expect(changeRows({ fields: ["subject", "scheduledAt"] })).toEqual([
    { name: "Fields", after: "Subject, Scheduled at" },
  ])
})

test.each([
  ["defaultLifetimeSeconds", "Default lifetime (s)"],
  ["overlapHours", "Overlap (h)"],
  ["daysSinceLastSend", "Days since last send"],
  ["expiresAt", "Expires at"],
  ["multiRegion", "Multi region"],
  ["logoUrl", "Logo URL"],
  ["vmcUrl", "VMC URL"],
  ["topicIds", "Topic IDs"],
  ["maxApiKeys", "Max API keys"],
  ["dkimStatus", "DKIM status"],
  ["dmarc_recommended_policy", "DMARC recommended policy"],
  ["ip", "IP"],
  ["hours", "Hours"],
  ["mailFromDomain", "MAIL FROM domain"],
  ["start", "Key starts with"],
])("%s is %s", (name, words) => {
  expect(fieldWords(name)).toBe(words)
})
