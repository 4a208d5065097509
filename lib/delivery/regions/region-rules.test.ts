import { expect, test } from "vitest"
import type { OwnFault } from "@/lib/delivery/transports/attempt"
import { outageSentence } from "@/lib/delivery/regions/region-rules"

const at = new Date("2026-11-21T16:40:12.000Z")
const outage = { region: "eu-west-1", since: at, sandbox: false }

test("an outage is said in one sentence, with its cause in plain words", () => {
  expect(outageSentence({ ...outage, diagnostic: "connect ECONNREFUSED 10.0.0.1:25", waiting: 1_000 })).toBe(
    "Region eu-west-1 has not reached its relay since 2026-11-21 16:40 UTC: connection refused. 1,000 emails wait; Mailroom checks every 15 s.",
  )
  expect(outageSentence({ ...outage, diagnostic: "554 5.7.1 not you.", waiting: 1 })).toBe(
    "Region eu-west-1 has not reached its relay since 2026-11-21 16:40 UTC: 554 5.7.1 not you. 1 email waits; Mailroom checks every 15 s.",
  )
})

test("a region that sends directly has no relay to name", () => {
  const diagnostic = "The DNS resolver 127.0.0.1:53 does not answer."
  expect(outageSentence({ ...outage, diagnostic, waiting: 2, direct: true })).toBe(
    "Region eu-west-1 has not been able to send since 2026-11-21 16:40 UTC: The DNS resolver 127.0.0.1:53 does not answer. 2 emails wait; Mailroom checks every 15 s.",
  )
})

test.each<[OwnFault, string]>([
  [
    { code: "resolver_silent", facts: { resolvers: ["127.0.0.1:53"] } },
    "the DNS resolver 127.0.0.1:53 does not answer. Check that it runs and that UDP and TCP port 53 to it are open, or name another one in MX_DNS.",
  ],
  [
    { code: "no_route", facts: { server: "192.0.2.1" } },
    "this server has no route to the internet. Check its network and its default route; if the hoster has cut it off, ask why.",
  ],
  [
    { code: "source_missing", facts: { source: "203.0.113.6" } },
    "this server does not have the address 203.0.113.6, from which it is to send. Ask the hoster to route it to this server and add it to a network interface, or remove it (admin egress).",
  ],
  [
    { code: "port_blocked", facts: { port: 25, servers: ["192.0.2.1"] } },
    "no connection to port 25 of any mail server succeeds. Hosters often block it against spam: ask yours to open outgoing TCP port 25 for this server, or send through a relay at port 587 (SMTP_URL).",
  ],
])("what a machine lacks for sending directly is said with what to do about it: %o", (fault, words) => {
  expect(outageSentence({ ...outage, diagnostic: "", waiting: 2, direct: true, fault })).toBe(
    `Region eu-west-1 has not been able to send since 2026-11-21 16:40 UTC: ${words} 2 emails wait; Mailroom checks every 15 s.`,
  )
})

test("a machine that every server refuses is told to do what the reply says", () => {
  const diagnostic = "554 5.7.1 Client host [203.0.113.6] blocked using zen.spamhaus.org"
  expect(outageSentence({ ...outage, diagnostic, waiting: 2, direct: true, refusing: true })).toBe(
    `Every mail server has refused this server since 2026-11-21 16:40 UTC: ${diagnostic}. Often its address is on a block list or has no reverse name: do what the reply says, or send through a relay at port 587 (SMTP_URL). 2 emails wait; Mailroom tries one of them every 5 min.`,
  )
})

test("a relay that answers and refuses every email is not called unreachable", () => {
  const refused = { ...outage, diagnostic: "550 5.7.1 Your account has been suspended", waiting: 6, refusing: true }
  expect(outageSentence(refused)).toBe(
    "The relay of region eu-west-1 has refused every email since 2026-11-21 16:40 UTC: 550 5.7.1 Your account has been suspended. 6 emails wait; Mailroom tries one of them every 15 s.",
  )
})
