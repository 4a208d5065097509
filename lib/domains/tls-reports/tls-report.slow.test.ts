import { gzipSync } from "node:zlib"
import fc from "fast-check"
import { zipSync } from "fflate"
import { describe, expect, it, test } from "vitest"
import { mailWithFiles } from "@/e2e/support/returns/returned-mails"
import { periodFault } from "@/lib/domains/dmarc/rules"
import { ReportRefused, reportText } from "@/lib/domains/dmarc/unpack"
import { parseTlsReport } from "@/lib/domains/tls-reports/tls-report"

const bytes = (text: string) => new TextEncoder().encode(text)

/** As the example of RFC 8460 appendix B is made: one MTA-STS policy, three kinds of failures. */
const report = {
  "organization-name": "Receiver Inc.",
  "date-range": { "start-datetime": "2026-11-25T00:00:00Z", "end-datetime": "2026-11-25T23:59:59Z" },
  "contact-info": "tls@receiver.example",
  "report-id": "2026-11-25_acme.test",
  policies: [
    {
      policy: {
        "policy-type": "sts",
        "policy-string": ["version: STSv1", "mode: testing", "mx: *.mail.acme.test", "max_age: 86400"],
        "policy-domain": "Acme.test.",
        "mx-host": "*.mail.acme.test",
      },
      summary: { "total-successful-session-count": 5326, "total-failure-session-count": 303 },
      "failure-details": [
        {
          "result-type": "certificate-expired",
          "sending-mta-ip": "2001:db8::1",
          "receiving-mx-hostname": "mx1.mail.acme.test",
          "failed-session-count": 100,
        },
        {
          "result-type": "starttls-not-supported",
          "sending-mta-ip": "2001:db8::2",
          "receiving-mx-hostname": "mx2.mail.acme.test",
          "receiving-ip": "203.0.113.56",
          "failed-session-count": 200,
          "additional-information": "https://receiver.example/info",
        },
        {
          "result-type": "validation-failure",
          "sending-mta-ip": "198.51.100.62",
          "receiving-ip": "203.0.113.58",
          "receiving-mx-hostname": "mx-backup.mail.acme.test",
          "failed-session-count": 3,
          "failure-reason-code": "X509_V_ERR_PROXY_PATH_LENGTH_EXCEEDED",
        },
      ],
    },
  ],
}
const json = JSON.stringify(report)
type Json = typeof report
const changed = (change: (copy: Json) => unknown) => {
  const copy = structuredClone(report)
  change(copy)
  return JSON.stringify(copy)
}

describe("a TLS report", () => {
  test("gives reporter, period, policies and failures", () => {
    expect(parseTlsReport(json)).toEqual({
      reporter: "Receiver Inc.",
      reportId: "2026-11-25_acme.test",
      contact: "tls@receiver.example",
      beganAt: new Date("2026-11-25T00:00:00Z"),
      endedAt: new Date("2026-11-25T23:59:59Z"),
      policies: [
        {
          type: "sts",
          domain: "acme.test",
          policy: ["version: STSv1", "mode: testing", "mx: *.mail.acme.test", "max_age: 86400"],
          hosts: ["*.mail.acme.test"],
          succeeded: 5326,
          failed: 303,
          failures: [
            expect.objectContaining({ result: "certificate-expired", sessions: 100, receivingIp: null }),
            expect.objectContaining({ result: "starttls-not-supported", receivingIp: "203.0.113.56" }),
            expect.objectContaining({ reason: "X509_V_ERR_PROXY_PATH_LENGTH_EXCEEDED", information: null }),
          ],
        },
      ],
    })
  })

  test.each<[string, Uint8Array]>([
    ["JSON", bytes(json)],
    ["JSON with a byte order mark", bytes(`\ufeff${json}`)],
    ["gzip", gzipSync(json)],
    ["gzip with bytes behind it", Buffer.concat([gzipSync(json), bytes("\r\n")])],
    ["ZIP", zipSync({ "r.json": bytes(json) })],
    [
      "an email",
      mailWithFiles(
        [
          {
            type: "application/tlsrpt+gzip",
            filename: "receiver.example!acme.test!1!2.json.gz",
            content: gzipSync(json),
          },
        ],
        ["From: noreply@receiver.example", "TLS-Report-Domain: acme.test", "TLS-Report-Submitter: receiver.example"],
        "multipart/report; report-type=tlsrpt",
      ),
    ],
  ])("is read as %s", (_, file) => {
    expect(parseTlsReport(reportText(file)).reportId).toBe("2026-11-25_acme.test")
  })

  test.each<[string, (copy: Json) => unknown, object]>([
    [
      "no policy found",
      ({ policies: [one] }) => Object.assign(one?.policy ?? {}, { "policy-type": "no-policy-found" }),
      { type: "no-policy-found" },
    ],
    [
      "DANE and several hosts",
      ({ policies: [one] }) =>
        Object.assign(one?.policy ?? {}, { "policy-type": "tlsa", "mx-host": ["a.test", "b.test"] }),
      { type: "tlsa", hosts: ["a.test", "b.test"] },
    ],
    [
      "a type of its own",
      ({ policies: [one] }) => Object.assign(one?.policy ?? {}, { "policy-type": "mta-sts" }),
      { type: "other" },
    ],
    [
      "a policy without text and hosts",
      ({ policies: [one] }) =>
        Object.assign(one ?? {}, { policy: { "policy-type": "sts", "policy-domain": "acme.test" } }),
      { policy: [], hosts: [] },
    ],
    ["no failures", ({ policies: [one] }) => Object.assign(one ?? {}, { "failure-details": null }), { failures: [] }],
    [
      "counts as text",
      ({ policies: [one] }) => Object.assign(one?.summary ?? {}, { "total-failure-session-count": "7" }),
      { failed: 7 },
    ],
    [
      "empty texts",
      ({ policies: [one] }) =>
        Object.assign(one?.["failure-details"][0] ?? {}, { "receiving-ip": "", "sending-mta-ip": "" }),
      { failures: expect.arrayContaining([expect.objectContaining({ sendingIp: null })]) },
    ],
  ])("with %s is read", (_, change, policy) => {
    expect(parseTlsReport(changed(change)).policies).toEqual([expect.objectContaining(policy)])
  })

  test.each<[string, string, RegExp]>([
    ["other JSON", "{}", /not a TLS report: date-range/],
    ["cut short", json.slice(0, -3), /not well-formed/],
    ["no id", changed((copy) => Object.assign(copy, { "report-id": " " })), /name its reporter and its id/],
    [
      "a period that is no time",
      changed((copy) => Object.assign(copy["date-range"], { "start-datetime": "soon" })),
      /date-range/,
    ],
    [
      "a period that ends first",
      changed((copy) => Object.assign(copy["date-range"], { "end-datetime": "2026-11-24T00:00:00Z" })),
      /ends before/,
    ],
    [
      "a count below nothing",
      changed(({ policies: [one] }) => Object.assign(one?.summary ?? {}, { "total-failure-session-count": -1 })),
      /total-failure/,
    ],
    [
      "T112: too many failures",
      changed(({ policies: [one] }) =>
        one?.["failure-details"].push(...Array.from({ length: 6_000 }, () => one["failure-details"][0] as never)),
      ),
      /more policies or failures/,
    ],
    ["T112: deep nesting", "[".repeat(5_000_000), /nested too deeply/],
    ["T112: too many values", `{"a":[${"0,".repeat(4_000_000)}0]}`, /too large/],
  ])("is refused with %s", (_, text, message) => {
    expect(() => parseTlsReport(text)).toThrow(message)
  })

  it("T112: drops names that it does not know, __proto__ among them", () => {
    const text = json.replace("{", '{"__proto__":{"admin":true},"constructor":1,')
    const read = parseTlsReport(text)
    expect(Object.keys(read).sort()).toEqual(Object.keys(parseTlsReport(json)).sort())
    expect((read as { admin?: unknown }).admin).toBeUndefined()
    expect(({} as { admin?: unknown }).admin).toBeUndefined()
  })

  it("T112: of a time that cannot be is refused by the rule that DMARC reports have", () => {
    const { beganAt, endedAt } = parseTlsReport(json)
    const day = (text: string) => new Date(text)
    expect(periodFault({ beganAt, endedAt }, day("2026-11-26T10:00:00Z"))).toBeNull()
    expect(periodFault({ beganAt, endedAt }, day("2026-11-20T10:00:00Z"))).toMatch(/future/)
    expect(periodFault({ beganAt, endedAt }, day("2028-11-20T10:00:00Z"))).toMatch(/older/)
    expect(periodFault({ beganAt, endedAt: day("2026-12-25T00:00:00Z") }, day("2026-12-26T00:00:00Z"))).toMatch(
      /eight days/,
    )
  })

  it("never throws anything but a refusal, however it is mutated", () => {
    fc.assert(
      fc.property(
        fc.nat(json.length),
        fc.nat(40),
        fc.constantFrom("", "{", "}", "[", "]", '"', "null", "1e99", ",", "\0", '{"__proto__":1}'),
        (at, cut, text) => {
          try {
            parseTlsReport(json.slice(0, at) + text + json.slice(at + cut))
          } catch (error) {
            expect(error).toBeInstanceOf(ReportRefused)
          }
        },
      ),
      { numRuns: 1_000 },
    )
  })
})
