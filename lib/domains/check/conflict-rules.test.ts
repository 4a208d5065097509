import { describe, expect, it, test } from "vitest"
import { conflictOf, isOccupied, type SeenRecord } from "@/lib/domains/check/conflict-rules"

const policy = "v=DMARC1; p=reject; rua=mailto:a@acme.com"
const dmarc: SeenRecord = {
  key: "dmarc",
  type: "TXT",
  value: `${policy},mailto:b@dmarc.mailroom.test`,
  status: "pending",
}
const spf: SeenRecord = {
  key: "mail-from-spf",
  type: "TXT",
  value: "v=spf1 include:spf.mailroom.test ~all",
  status: "pending",
}
const mx: SeenRecord = {
  key: "mail-from-mx",
  type: "MX",
  value: "feedback.mailroom.test",
  priority: 10,
  status: "pending",
}
const cause = (code: string) => ({ code, message: "The name is an alias.", fix: "Delete the CNAME." })

describe("a record may be added", () => {
  it.each<[string, SeenRecord]>([
    ["where nothing is published", dmarc],
    ["where nothing is published and it was put at another name", { ...spf, likelyCause: cause("doubled-zone") }],
    ["where the same record is published", { ...mx, status: "verified", found: ["10 feedback.mailroom.test"] }],
  ])("%s", (_, record) => expect(conflictOf(record)).toBeNull())
})

describe("a record is not to be added", () => {
  it.each<[string, SeenRecord, string]>([
    [
      "where a policy applies",
      { ...dmarc, found: [policy], likelyCause: cause("dmarc-rua-missing") },
      `replaces the current record: ${policy}`,
    ],
    [
      "where there are several policies",
      { ...dmarc, found: [policy, "v=DMARC1; p=none"] },
      `replaces the current record: ${policy} | v=DMARC1; p=none`,
    ],
    [
      "where its policy is already published, as it may be through a CNAME",
      { ...dmarc, status: "verified", found: [dmarc.value] },
      `already published: ${dmarc.value}`,
    ],
    [
      "where another service manages the policy",
      { ...dmarc, found: [policy], likelyCause: cause("dmarc-vendor-hosted") },
      "The name is an alias. Delete the CNAME.",
    ],
    [
      "where an alias leads to nothing",
      { ...dmarc, likelyCause: cause("cname-in-the-way") },
      "The name is an alias. Delete the CNAME.",
    ],
    [
      "where CNAME records form a loop",
      { ...spf, likelyCause: cause("alias-loop") },
      "The name is an alias. Delete the CNAME.",
    ],
    [
      "where another SPF record is published",
      { ...spf, found: ["v=spf1 -all"] },
      "replaces the current record: v=spf1 -all",
    ],
    [
      "where an SPF record of the owner's own does the same",
      { ...spf, status: "verified", found: ["v=spf1 mx include:spf.mailroom.test -all"] },
      "already published: v=spf1 mx include:spf.mailroom.test -all",
    ],
    [
      "where another mail server is published beside it",
      { ...mx, found: ["10 feedback.mailroom.test", "5 mx.other.example"] },
      "replaces the current record: 10 feedback.mailroom.test | 5 mx.other.example",
    ],
    [
      "where the name answers with addresses",
      { key: "tracking", type: "CNAME", value: "track.mailroom.test", status: "pending", found: ["192.0.2.1"] },
      "replaces the current record: 192.0.2.1",
    ],
  ])("%s", (_, record, why) => {
    expect(conflictOf(record)).toBe(why)
    expect(isOccupied(record)).toBe(true)
  })
})

test("what a stranger's zone holds is shown in part", () => {
  expect(conflictOf({ ...spf, found: ["x".repeat(2_000)] })?.length).toBeLessThan(250)
})
