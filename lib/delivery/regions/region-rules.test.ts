import { expect, test } from "vitest"
import { outageSentence } from "@/lib/delivery/regions/region-rules"

const at = new Date(`${new Date().toISOString().slice(0, 10)}T16:40:12.000Z`)
const outage = { region: "eu-west-1", since: at, sandbox: false }

test("an outage is said in one sentence, with its cause in plain words", () => {
  expect(outageSentence({ ...outage, diagnostic: "connect ECONNREFUSED 10.0.0.1:25", waiting: 1_000 })).toBe(
    "Region eu-west-1 has not reached its relay since 16:40 UTC: connection refused. 1,000 emails wait; Mailroom checks every 15 s.",
  )
  expect(outageSentence({ ...outage, diagnostic: "554 5.7.1 not you.", waiting: 1 })).toBe(
    "Region eu-west-1 has not reached its relay since 16:40 UTC: 554 5.7.1 not you. 1 email waits; Mailroom checks every 15 s.",
  )
})

test("a region that sends directly has no relay to name", () => {
  const diagnostic = "The DNS resolver 127.0.0.1:53 does not answer."
  expect(outageSentence({ ...outage, diagnostic, waiting: 2, direct: true })).toBe(
    "Region eu-west-1 has not been able to send since 16:40 UTC: The DNS resolver 127.0.0.1:53 does not answer. 2 emails wait; Mailroom checks every 15 s.",
  )
})

test("a relay that answers and refuses every email is not called unreachable", () => {
  const refused = { ...outage, diagnostic: "550 5.7.1 Your account has been suspended", waiting: 6, refusing: true }
  expect(outageSentence(refused)).toBe(
    "The relay of region eu-west-1 has refused every email since 16:40 UTC: 550 5.7.1 Your account has been suspended. 6 emails wait; Mailroom tries one of them every 15 s.",
  )
})

test("an outage that began on another day names the day", () => {
  const since = new Date("2026-01-02T03:04:05.000Z")
  expect(outageSentence({ ...outage, since, diagnostic: "no connection within 10 s", waiting: 0 })).toMatch(
    /since 2026-01-02 03:04 UTC: no connection within 10 s\. 0 emails wait;/,
  )
})
