import { describe, expect, it, test } from "vitest"
import { inTheWay, stands, type SeenRecord } from "@/lib/domains/check/conflict-rules"

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
    ["where nothing stands", dmarc],
    ["where nothing stands and it was put at another name", { ...spf, likelyCause: cause("doubled-zone") }],
    ["where the very same one stands", { ...mx, status: "verified", found: ["10 feedback.mailroom.test"] }],
  ])("%s", (_, record) => expect(inTheWay(record)).toBeNull())
})

describe("a record is not to be added", () => {
  it.each<[string, SeenRecord, string]>([
    [
      "where a policy applies",
      { ...dmarc, found: [policy], likelyCause: cause("dmarc-rua-missing") },
      `replaces what stands there: ${policy}`,
    ],
    [
      "where several policies stand",
      { ...dmarc, found: [policy, "v=DMARC1; p=none"] },
      `replaces what stands there: ${policy} | v=DMARC1; p=none`,
    ],
    [
      "where its policy stands already, as it may behind an alias",
      { ...dmarc, status: "verified", found: [dmarc.value] },
      `stands there already: ${dmarc.value}`,
    ],
    [
      "where another service keeps the policy",
      { ...dmarc, found: [policy], likelyCause: cause("dmarc-vendor-hosted") },
      "The name is an alias. Delete the CNAME.",
    ],
    [
      "where an alias leads to nothing",
      { ...dmarc, likelyCause: cause("cname-in-the-way") },
      "The name is an alias. Delete the CNAME.",
    ],
    [
      "where aliases lead in a circle",
      { ...spf, likelyCause: cause("alias-loop") },
      "The name is an alias. Delete the CNAME.",
    ],
    ["where another SPF record stands", { ...spf, found: ["v=spf1 -all"] }, "replaces what stands there: v=spf1 -all"],
    [
      "where an SPF record of the owner's own does the same",
      { ...spf, status: "verified", found: ["v=spf1 mx include:spf.mailroom.test -all"] },
      "stands there already: v=spf1 mx include:spf.mailroom.test -all",
    ],
    [
      "where another mail server stands beside it",
      { ...mx, found: ["10 feedback.mailroom.test", "5 mx.other.example"] },
      "replaces what stands there: 10 feedback.mailroom.test | 5 mx.other.example",
    ],
    [
      "where the name answers with addresses",
      { key: "tracking", type: "CNAME", value: "track.mailroom.test", status: "pending", found: ["192.0.2.1"] },
      "replaces what stands there: 192.0.2.1",
    ],
  ])("%s", (_, record, why) => {
    expect(inTheWay(record)).toBe(why)
    expect(stands(record)).toBe(true)
  })
})

test("what a stranger's zone holds is shown in part", () => {
  expect(inTheWay({ ...spf, found: ["x".repeat(2_000)] })?.length).toBeLessThan(250)
})
