import fc from "fast-check"
import { describe, expect, test } from "vitest"
import {
  afterNotice,
  dueNotice,
  noticeWindowMs,
  recordFaults,
  type Told,
  type ToldStatus,
} from "@/lib/domains/check/notice-rules"
import { recordFaultWords } from "@/lib/explanation/record-words"
import type { WatchedRecord } from "@/lib/domains/records/records"
import type { DomainStatus } from "@/lib/domains/rules"

const nothing: Told = { status: null, at: { verified: null, degraded: null, failed: null } }
const hour = 3_600_000
const start = new Date("2026-11-22T10:00:00Z")
const after = (ms: number) => new Date(start.getTime() + ms)
const state = (status: DomainStatus) => ({ status, verifiedAt: start })

describe("owners are told", () => {
  test("when a verified domain is degraded, fails, and is verified again, once each", () => {
    let told = nothing
    for (const [at, status] of [
      [1, "degraded"],
      [73, "failed"],
      [80, "verified"],
    ] as const) {
      expect(dueNotice(state(status), told, after(at * hour))).toBe(status)
      told = afterNotice(told, status, after(at * hour))
      expect(dueNotice(state(status), told, after((at + 1) * hour))).toBeNull()
    }
  })

  test("nothing of a domain that was never verified, nor of its first verification", () => {
    for (const status of ["pending", "failed"] as const)
      expect(dueNotice({ status, verifiedAt: null }, nothing, start)).toBeNull()
    expect(dueNotice(state("verified"), nothing, start)).toBeNull()
  })

  test("once the window has ended what it kept back, if it is still true", () => {
    const flapped = afterNotice(afterNotice(nothing, "degraded", start), "verified", after(hour))
    expect(dueNotice(state("degraded"), flapped, after(2 * hour))).toBeNull()
    expect(dueNotice(state("verified"), flapped, after(25 * hour))).toBeNull()
    expect(dueNotice(state("degraded"), flapped, after(24 * hour))).toBe("degraded")
  })

  test("however a domain flaps, at most one notice of each kind in 24 hours, and in the end what is true", () => {
    const steps = fc.array(
      fc.record({
        status: fc.constantFrom<ToldStatus[]>("verified", "degraded", "failed"),
        ms: fc.integer({ min: 1, max: 30 * hour }),
      }),
      { minLength: 1, maxLength: 60 },
    )
    fc.assert(
      fc.property(steps, (all) => {
        let told = nothing
        let at = 0
        const sent: { status: ToldStatus; at: number }[] = []
        const last = all.at(-1)
        for (const { status, ms } of [...all, { status: last?.status ?? "verified", ms: noticeWindowMs }]) {
          at += ms
          const due = dueNotice(state(status), told, after(at))
          if (!due) continue
          expect(due).toBe(status)
          told = afterNotice(told, due, after(at))
          sent.push({ status: due, at })
        }
        for (const [index, one] of sent.entries()) {
          const before = sent.slice(0, index).findLast(({ status }) => status === one.status)
          if (before) expect(one.at - before.at).toBeGreaterThanOrEqual(noticeWindowMs)
          expect(sent[index - 1]?.status).not.toBe(one.status)
        }
        expect(told.status ?? "verified").toBe(last?.status)
      }),
    )
  })
})

describe("the faults of records", () => {
  const record = (changes: Partial<WatchedRecord>): WatchedRecord => ({
    ...{ key: "mail-from-mx", name: "send.acme.com", type: "MX", value: "feedback", status: "pending", found: [] },
    ...changes,
  })
  const faults = (...records: WatchedRecord[]) => recordFaults(records, "dkim-a", start)
  const mx = { record: "mail-from-mx", name: "send.acme.com", expected: "feedback", found: [] }

  test("are a code with its facts for each required record that is missing or invalid, and no other", () => {
    const quoted = { code: "quoted", facts: {} } as const
    const all = faults(
      record({ key: "dkim-a", name: "a._domainkey.acme.com", value: "v=DKIM1" }),
      record({ key: "dkim-b", name: "b._domainkey.acme.com" }),
      record({ key: "mail-from-mx", found: ["10 mx.other.com"] }),
      record({ key: "mail-from-spf", likelyCause: quoted, found: ['"v=spf1"'], value: "v=spf1" }),
      record({ key: "dmarc", name: "_dmarc.acme.com" }),
    )
    expect(all).toEqual([
      { record: "dkim-a", name: "a._domainkey.acme.com", expected: "v=DKIM1", found: [], code: "not-found", facts: {} },
      { ...mx, found: ["10 mx.other.com"], code: "another-value", facts: {} },
      { record: "mail-from-spf", name: "send.acme.com", expected: "v=spf1", found: ['"v=spf1"'], ...quoted },
    ])
    expect(all.map(recordFaultWords)).toEqual([
      "DKIM record at a._domainkey.acme.com: not found.",
      "MAIL FROM MX record at send.acme.com: another value was found.",
      "MAIL FROM SPF record at send.acme.com: The value contains quotation marks.",
    ])
    expect(faults(record({ status: "verified" }))).toEqual([])
  })

  test("tell silent name servers from missing records", () => {
    const silent = faults(record({ lastAnswerAt: after(-72 * hour).toISOString() }))
    expect(silent).toEqual([{ ...mx, code: "no-answer", facts: { hours: 72 } }])
    expect(silent.map(recordFaultWords)).toEqual([
      "MAIL FROM MX record at send.acme.com: the name servers have not answered for 72 hours.",
    ])
    expect(faults(record({ lastAnswerAt: after(-hour).toISOString() }))[0]?.code).toBe("not-found")
  })

  test("say what a check of an earlier release stored as the cause", () => {
    const stored = { code: "other-mx", message: "Another mail server receives the mail.", fix: "Replace it." }
    const [fault] = faults(record({ likelyCause: stored }))
    expect(fault).toEqual({ ...mx, code: "recorded", facts: { text: stored.message } })
    expect(fault && recordFaultWords(fault)).toBe(`MAIL FROM MX record at send.acme.com: ${stored.message}`)
  })
})
