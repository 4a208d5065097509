import fc from "fast-check"
import { describe, expect, it, test } from "vitest"
import { missing, valid, unknown, invalid, type Finding } from "@/lib/domains/check/findings"
import type { RecordStatus, WatchedRecord } from "@/lib/domains/records/records"
import {
  componentStatuses,
  graceMs,
  maySend,
  failsAt,
  nextDomain,
  nextCheckSeconds,
  nextRecord,
  recheckDelaySeconds,
  settleRecords,
  type DomainState,
  conflictOf,
  isOccupied,
  type SeenRecord,
} from "@/lib/domains/rules"

const start = new Date("2026-03-01T10:00:00.000Z")
const after = (hours: number) => new Date(start.getTime() + hours * 3_600_000)
const fresh: DomainState = { status: "pending", missingSince: start, verifiedAt: null }
const record: WatchedRecord = {
  key: "mail-from-mx",
  name: "send.acme.com",
  type: "MX",
  value: "f",
  status: "pending",
  found: [],
}
const all: RecordStatus[] = ["verified", "verified", "verified"]
const one: RecordStatus[] = ["verified", "pending", "verified"]
const otherMx = { code: "other-mx", facts: { name: "send.acme.com" } } as const

describe("a domain", () => {
  it("waits 72 hours before it fails", () => {
    expect(nextDomain(fresh, one, after(71.9)).status).toBe("pending")
    expect(nextDomain(fresh, one, after(72)).status).toBe("failed")
  })

  it("is verified as soon as the required records are, even after it has failed", () => {
    expect(nextDomain(fresh, all, after(1))).toEqual({ status: "verified", missingSince: null, verifiedAt: after(1) })
    const failed = nextDomain(fresh, one, after(80))
    expect(nextDomain(failed, all, after(81))).toEqual({
      status: "verified",
      missingSince: null,
      verifiedAt: after(81),
    })
  })

  it("whose records vanish is degraded for 72 hours, still sends, then fails", () => {
    const verified = nextDomain(fresh, all, after(1))
    const degraded = nextDomain(verified, one, after(500))
    expect(degraded).toEqual({ status: "degraded", missingSince: after(500), verifiedAt: after(1) })
    expect(maySend(degraded.status)).toBe(true)
    expect(failsAt(degraded)).toEqual(after(572))
    expect(nextDomain(degraded, one, after(571.9)).status).toBe("degraded")
    const failed = nextDomain(degraded, one, after(572))
    expect(failed.status).toBe("failed")
    expect(maySend(failed.status)).toBe(false)
  })

  it("whose records come back keeps the time of its verification, and the next loss starts a new clock", () => {
    const degraded = nextDomain(nextDomain(fresh, all, after(1)), one, after(10))
    const back = nextDomain(degraded, all, after(20))
    expect(back).toEqual({ status: "verified", missingSince: null, verifiedAt: after(1) })
    expect(nextDomain(back, one, after(90)).missingSince).toEqual(after(90))
  })
})

describe("a record", () => {
  const verified = nextRecord(record, valid(["10 f"]), start, null)

  it("keeps its status when the lookup fails, until nothing has been heard for 72 hours", () => {
    expect(nextRecord(verified, unknown, after(71.9), after(66))).toBe(verified)
    expect(nextRecord(verified, unknown, after(72), after(66)).status).toBe("pending")
    expect(nextRecord(record, unknown, after(500), after(494))).toBe(record)
  })

  it("keeps its status at the first check after days in which nobody asked", () => {
    expect(nextRecord(verified, unknown, after(100), start)).toBe(verified)
    expect(nextRecord(verified, unknown, after(106), after(100)).status).toBe("pending")
  })

  it("shows what was found and the likely cause, and forgets both once it is valid", () => {
    const changed = nextRecord(record, invalid(["10 x"], otherMx), start, null)
    expect(changed).toMatchObject({ status: "pending", found: ["10 x"], likelyCause: { code: "other-mx" } })
    expect(nextRecord(changed, valid(["10 f"]), after(1), start)).toEqual({
      ...verified,
      lastAnswerAt: after(1).toISOString(),
    })
  })

  it("that is waited for fails with its domain, an optional one never", () => {
    const optional = { ...record, key: "dmarc" as const, optional: true }
    expect(settleRecords([record, verified, optional], "failed").map((r) => r.status)).toEqual([
      "failed",
      "verified",
      "pending",
    ])
    expect(settleRecords([{ ...record, status: "failed" }], "verified").map((r) => r.status)).toEqual(["pending"])
  })
})

describe("component statuses", () => {
  const records: WatchedRecord[] = [
    { ...record, key: "dkim-a", status: "verified" },
    { ...record, key: "dkim-b", status: "pending" },
    { ...record, key: "mail-from-mx", status: "verified" },
    { ...record, key: "mail-from-spf", status: "pending" },
    { ...record, key: "tracking", status: "pending", optional: true },
  ]

  it("speak of the key in use, of the SPF record alone, and of both MAIL FROM records", () => {
    expect(componentStatuses(records, "dkim-a")).toEqual({
      dkimStatus: "verified",
      spfStatus: "pending",
      mailFromStatus: "pending",
      trackingStatus: "not_configured",
    })
    expect(componentStatuses(records, "dkim-b").dkimStatus).toBe("pending")
  })
})

describe("checks again", () => {
  it("come after 5, 15 and 30 s, then back off from a minute to six hours", () => {
    const delays = Array.from({ length: 14 }, (_, attempt) => recheckDelaySeconds(attempt))
    expect(delays).toEqual([5, 15, 30, 60, 120, 240, 480, 960, 1920, 3840, 7680, 15_360, 21_600, 21_600])
    expect(recheckDelaySeconds(1_000_000)).toBe(21_600)
  })

  it("at a verified domain come every six hours", () => {
    expect(nextCheckSeconds("verified", 0)).toBe(21_600)
    expect(nextCheckSeconds("degraded", 0)).toBe(5)
  })
})

describe("whatever the DNS says, and whenever it is asked", () => {
  const finding = fc.constantFrom<Finding>(valid(["x"]), missing(), invalid(["y"], otherMx), unknown)
  const checks = fc.array(fc.tuple(fc.integer({ min: 1, max: 100 * 3_600_000 }), fc.tuple(finding, finding, finding)), {
    maxLength: 60,
  })

  it("a domain is verified exactly when its records are, and loses the right to send only after 72 hours without", () => {
    fc.assert(
      fc.property(checks, (steps) => {
        let now = start
        let state = fresh
        let records = [record, record, record]
        let lastComplete: Date | null = null
        for (const [pauseMs, findings] of steps) {
          const last = now
          now = new Date(now.getTime() + pauseMs)
          const before = state
          records = records.map((each, at) => nextRecord(each, findings[at] ?? unknown, now, last))
          state = nextDomain(
            before,
            records.map((each) => each.status),
            now,
          )
          records = settleRecords(records, state.status)
          const complete = records.every((each) => each.status === "verified")
          if (complete) lastComplete = now
          expect(state.status === "verified").toBe(complete)
          expect(state.missingSince === null).toBe(complete)
          expect(state.status === "degraded" || state.status === "verified" ? state.verifiedAt : true).toBeTruthy()
          if (before.status === "verified") expect(maySend(state.status)).toBe(true)
          if (maySend(before.status) && !maySend(state.status)) {
            expect(now.getTime() - (before.missingSince?.getTime() ?? 0)).toBeGreaterThanOrEqual(graceMs)
          }
          if (state.status === "degraded" && lastComplete === null) expect.unreachable("degraded without ever verified")
        }
      }),
      { numRuns: 500 },
    )
  })
})

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
