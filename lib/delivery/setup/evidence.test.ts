import { expect, test } from "vitest"
import { type Evidence, evidenceLine, readEvidence, storedEvidence } from "@/lib/delivery/setup/evidence"

const [host, domain] = ["mx.mail.example", "mail.example"]
const at = "2026-11-27T16:46:00.000Z"

/** Each code at least once, in each of its forms. */
const samples: Evidence[] = [
  { code: "server_address", facts: { host } },
  { code: "sending_address", facts: { name: host, type: "A" } },
  { code: "reverse_of_each", facts: { name: host } },
  { code: "no_mail_server", facts: { domain } },
  { code: "addresses_of", facts: { host, addresses: ["203.0.113.5", "203.0.113.6"] } },
  { code: "addresses_of", facts: { host, addresses: [] } },
  { code: "spf_result", facts: { address: "203.0.113.5", result: "softfail" } },
  { code: "name_resolved", facts: { name: host, result: "secure" } },
  { code: "name_resolved", facts: { name: host, result: "insecure" } },
  { code: "name_resolved", facts: { name: host, result: "refused" } },
  { code: "name_resolved", facts: { name: host, result: "accepted" } },
  { code: "name_resolved", facts: { name: host, result: "timeout" } },
  { code: "block_list", facts: { list: "bl.example", answer: "listed" } },
  { code: "block_list", facts: { list: "bl.example", answer: "clear" } },
  { code: "block_list", facts: { list: "bl.example", answer: "refuses" } },
  { code: "own_domain", facts: {} },
  { code: "service_domain", facts: { domain } },
  { code: "not_set", facts: { setting: "TLS_CERT" } },
  { code: "clocks_within", facts: { seconds: 5 } },
  { code: "clock_lead", facts: { ms: 6_000 } },
  { code: "clock_lead", facts: { ms: -6_000 } },
  { code: "https_origin", facts: { days: 14 } },
  { code: "certificate_for", facts: { host, port: 2465, days: 14 } },
  { code: "certificate_until", facts: { date: "2026-12-01", days: 3 } },
  { code: "certificate_until", facts: { date: "2026-12-01", days: -3 } },
  { code: "certificate_names", facts: { names: host } },
  { code: "certificate_names", facts: {} },
  { code: "no_answer", facts: { seconds: 5 } },
  { code: "relay_session", facts: { host, port: 587 } },
  { code: "relay_session", facts: { host, port: 587, user: "mailer" } },
  { code: "session_at", facts: { at } },
  { code: "outbound_port", facts: { port: 25 } },
  { code: "connection", facts: { host, end: "connected" } },
  { code: "connection", facts: { from: "203.0.113.5", host, end: "closed" } },
  { code: "connection", facts: { from: "203.0.113.5", host, end: { silentSeconds: 5 } } },
  { code: "connection", facts: { from: "203.0.113.5", host, end: { fault: "connect ECONNREFUSED" } } },
  { code: "mail_comes_back", facts: {} },
  { code: "loop_test_passed", facts: { at } },
  { code: "loop_test_ended", facts: { code: "not_accepted" } },
  { code: "loop_test_ended", facts: { code: "returned", diagnostic: "550 5.1.1 No such user" } },
  { code: "loop_test_ended", facts: { code: "lost" } },
  { code: "ses_access", facts: {} },
  { code: "ses_production", facts: { has: true } },
  { code: "ses_production", facts: { has: false } },
  { code: "ses_sending", facts: { on: true } },
  { code: "ses_sending", facts: { on: false } },
  { code: "ses_state", facts: { state: "SHUTDOWN" } },
  { code: "ses_rates", facts: { perSecond: 14, perDay: 500, sentLastDay: 10 } },
  { code: "ses_configuration_set", facts: { name: "main", on: true } },
  { code: "ses_configuration_set", facts: { name: "main", on: false } },
  { code: "ses_identity", facts: { domain, verified: true, dkim: "SUCCESS" } },
  { code: "ses_identity", facts: { domain, verified: false, dkim: "" } },
  { code: "ses_events_setting", facts: {} },
  { code: "ses_queue", facts: { url: "https://sqs.example/1/events" } },
  { code: "ses_topic", facts: { topic: "arn:aws:sns:eu-west-1:1:events", url: "https://app.mail.example/hook" } },
  { code: "ses_queue_read", facts: { waiting: 7 } },
  { code: "ses_last_event", facts: { at } },
  { code: "port_reached", facts: { host } },
  { code: "postmaster_verified", facts: { domain } },
  { code: "domain_complaints", facts: { domain } },
  { code: "address_complaints", facts: { domain } },
]

test("each evidence has a line of its own that names its facts, and says times to the minute", () => {
  const lines = samples.map(evidenceLine)
  expect(new Set(lines).size).toBe(samples.length)
  for (const [index, line] of lines.entries()) {
    expect(line).not.toMatch(/undefined|\[object/)
    const { facts } = samples[index] as Exclude<Evidence, string>
    for (const name of [
      "host",
      "name",
      "names",
      "domain",
      "list",
      "address",
      "from",
      "user",
      "port",
      "url",
      "diagnostic",
    ])
      if (name in facts) expect(line).toContain(String((facts as Record<string, unknown>)[name]))
    if ("at" in facts) expect(line).toContain("2026-11-27 16:46 UTC")
  }
})

test("what is stored is read as it was: codes, records, what a server said, and the lines of an earlier release", () => {
  for (const evidence of samples) expect(readEvidence(storedEvidence(evidence))).toEqual(evidence)
  const texts = [
    "mail.example MX 10 mx.mail.example",
    "0.4 s ahead",
    '{"code":"AccessDenied","message":"No"}',
    '{"code":',
  ]
  for (const text of [...texts, '{"code":"moon_phase","facts":{}}']) {
    expect(readEvidence(storedEvidence(text))).toBe(text)
    expect(evidenceLine(text)).toBe(text)
  }
})
