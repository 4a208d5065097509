import { gunzipSync } from "node:zlib"
import fc from "fast-check"
import { expect, test } from "vitest"
import { reportTargets, tlsReportFile } from "@/lib/delivery/tls-reports/report"
import { parseTlsReport } from "@/lib/domains/tls-reports/tls-report"

const day = new Date("2026-11-26T00:00:00Z")
const about = { domain: "acme.example", day, serviceDomain: "mail.example" }
const lines = ["version: STSv1", "mode: testing", "mx: *.acme.example", "max_age: 86400"]

test("a report has the sessions of a day by policy, as RFC 8460 writes it", () => {
  const sts = { policyType: "sts", policy: lines, host: "mx1.acme.example" }
  const { filename, content } = tlsReportFile(about, [
    { ...sts, result: "success", sessions: 7 },
    { ...sts, result: "certificate-expired", sessions: 2 },
    {
      policyType: "no-policy-found",
      policy: [],
      host: "mx2.acme.example",
      result: "starttls-not-supported",
      sessions: 1,
    },
  ])
  expect(filename).toBe("mail.example!acme.example!1795651200!1795737599.json.gz")
  expect(JSON.parse(gunzipSync(content).toString())).toEqual({
    "organization-name": "mail.example",
    "date-range": { "start-datetime": "2026-11-26T00:00:00Z", "end-datetime": "2026-11-26T23:59:59Z" },
    "contact-info": "postmaster@mail.example",
    "report-id": "2026-11-26.acme.example@mail.example",
    policies: [
      {
        policy: { "policy-type": "sts", "policy-domain": "acme.example", "policy-string": lines },
        summary: { "total-successful-session-count": 7, "total-failure-session-count": 2 },
        "failure-details": [
          {
            "result-type": "certificate-expired",
            "receiving-mx-hostname": "mx1.acme.example",
            "failed-session-count": 2,
          },
        ],
      },
      {
        policy: { "policy-type": "no-policy-found", "policy-domain": "acme.example" },
        summary: { "total-successful-session-count": 0, "total-failure-session-count": 1 },
        "failure-details": [
          {
            "result-type": "starttls-not-supported",
            "receiving-mx-hostname": "mx2.acme.example",
            "failed-session-count": 1,
          },
        ],
      },
    ],
  })
})

test("our own reader of reports finds in each what was counted", () => {
  const counted = fc.record({
    policyType: fc.constantFrom("sts", "tlsa", "no-policy-found"),
    policy: fc.constantFrom([], lines),
    host: fc.constantFrom("", "mx1.acme.example", "mx2.acme.example"),
    result: fc.constantFrom("success", "certificate-expired", "validation-failure"),
    sessions: fc.integer({ min: 1, max: 1_000_000 }),
  })
  fc.assert(
    fc.property(fc.array(counted, { minLength: 1, maxLength: 20 }), (all) => {
      const { policies } = parseTlsReport(gunzipSync(tlsReportFile(about, all).content).toString())
      const total = (pick: (one: (typeof all)[number]) => boolean) =>
        all.filter(pick).reduce((sum, { sessions }) => sum + sessions, 0)
      const read = (of: "succeeded" | "failed") => policies.reduce((sum, policy) => sum + policy[of], 0)
      expect(read("succeeded")).toBe(total(({ result }) => result === "success"))
      expect(read("failed")).toBe(total(({ result }) => result !== "success"))
    }),
    { numRuns: 100 },
  )
})

test.each([
  ["v=TLSRPTv1; rua=mailto:tls@acme.example", [{ mailto: "tls@acme.example" }]],
  ["v=TLSRPTv1;rua=https://tls.acme.example/v1", [{ https: "https://tls.acme.example/v1" }]],
  [
    "v=TLSRPTv1; rua=mailto:a%2Bb@acme.example?subject=x, https://b.example/",
    [{ mailto: "a+b@acme.example" }, { https: "https://b.example/" }],
  ],
  [
    "v=TLSRPTv1; rua=mailto:a@b.example,mailto:c@d.example,mailto:e@f.example",
    [{ mailto: "a@b.example" }, { mailto: "c@d.example" }],
  ],
  ["v=TLSRPTv1; rua=http://acme.example/", []],
  ["v=TLSRPTv1; rua=mailto:a@b.example\r\nBcc: victim@c.example", []],
  ["v=TLSRPTv1;", []],
  ["v=TLSRPTv2; rua=mailto:a@b.example", []],
])("reports by the record %s go to %j", (record, targets) => {
  expect(reportTargets(["google-site-verification=1", record])).toEqual(targets)
})

test("several records are none", () => {
  const record = "v=TLSRPTv1; rua=mailto:a@b.example"
  expect(reportTargets([record, record])).toEqual([])
})
