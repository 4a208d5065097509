import { expect, test } from "vitest"
import { loopTestSteps } from "@/components/operator/test-words"

const at = (seconds: number) => new Date(Date.parse("2026-11-27T09:00:00Z") + seconds * 1_000).toISOString()
const begun = { relay: "relay.example:587", startedAt: at(0) }
const back = { sentAt: at(0.4), returnedAt: at(1.6), endedAt: at(1.8), code: "passed" as const }

test.each([
  ["waits to be sent", {}, ["waits Handed to relay.example:587"]],
  ["is under way", { sentAt: at(0.4) }, ["done Handed to relay.example:587, 0.4 s", "waits Reaches the listener"]],
  [
    "has passed",
    { ...back, returnedFrom: "203.0.113.5", returnedTls: "TLSv1.3" },
    [
      "done Handed to relay.example:587, 0.4 s",
      "done Reached the listener from 203.0.113.5, 1.6 s",
      "done Encrypted by STARTTLS, TLSv1.3",
      "done Stored, and recognised as this test",
    ],
  ],
  [
    "has passed on a plain connection",
    { ...back, returnedFrom: "203.0.113.5" },
    expect.arrayContaining(["done Without TLS: the last server on the way did not ask for STARTTLS"]),
  ],
  [
    "was refused",
    { code: "not_accepted" as const, diagnostic: "550 5.7.1 relaying denied" },
    ["failed Not accepted by relay.example:587: 550 5.7.1 relaying denied"],
  ],
  [
    "was returned",
    { sentAt: at(1), code: "returned" as const, diagnostic: "no route" },
    ["done Handed to relay.example:587, 1.0 s", "failed Returned by a server on the way: no route"],
  ],
  [
    "is lost",
    { sentAt: at(1), code: "lost" as const },
    expect.arrayContaining([expect.stringMatching(/^failed Not at the listener\. .*INBOUND_PORT$/)]),
  ],
])("a loop test that %s is shown step by step", (_, test, steps) => {
  expect(loopTestSteps({ ...begun, ...test }).map(({ state, text }) => `${state} ${text}`)).toEqual(steps)
})
