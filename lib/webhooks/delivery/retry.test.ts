import { createHash } from "node:crypto"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { Webhook } from "standardwebhooks"
import { TargetRefused } from "@/lib/platform/outbound/target"
import {
  storedFailureText,
  answered,
  nextWaitSeconds,
  recorded,
  retryAfterSeconds,
  SecretUnreadable,
  unanswered,
} from "@/lib/webhooks/delivery/outcome"
import { requestHeaders, signatureOf } from "@/lib/webhooks/delivery/worker"
import { shapingFaults } from "@/lib/webhooks/rules"
import { textOfSecret } from "@/lib/webhooks/secret-rules"

const facts = { id: "d", attempt: 1, attemptCount: 0, eventType: "email.sent" }
const at = { now: new Date("2026-11-22T10:00:00Z"), random: 0.5 }
const response = (status: number, body = "", retryAfter?: string) => ({
  status,
  retryAfter,
  snippet: Buffer.from(body, "latin1"),
})

describe("the schedule", () => {
  test("is 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h, each varied by 20 %, then nothing", () => {
    const hours = [2, 5, 10, 14, 20, 24].map((count) => count * 3_600)
    const waits = [5, 300, 1_800, ...hours]
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (random) => {
        waits.forEach((wait, at) => {
          const given = nextWaitSeconds(at + 1, random) ?? 0
          expect(given).toBeGreaterThanOrEqual(0.8 * wait - 1e-9)
          expect(given).toBeLessThanOrEqual(1.2 * wait + 1e-9)
        })
        expect(nextWaitSeconds(10, random)).toBeNull()
      }),
    )
  })

  test.each([
    ["120", 120],
    ["Sun, 22 Nov 2026 10:02:00 GMT", 120],
    ["Sun, 22 Nov 2026 09:00:00 GMT", 0],
    ["999999999", 86_400],
    ["soon", 5],
    ["-5", 5],
  ])("is stretched by Retry-After: %s, up to a day", (header, wait) => {
    expect(nextWaitSeconds(1, 0.5, retryAfterSeconds(header, at.now))).toBe(Math.max(5, wait))
    expect(answered(facts, response(503, "", header), at).waitSeconds).toBe(Math.max(5, wait))
  })
})

describe("the outcome of an attempt", () => {
  test.each([
    [200, "success", true],
    [204, "success", true],
    [299, "success", true],
    [301, "pending", false],
    [302, "pending", false],
    [400, "pending", false],
    [404, "pending", false],
    [410, "failed", false],
    [429, "pending", false],
    [500, "pending", false],
  ])("%i is %s", (status, expected, healthy) => {
    const outcome = answered(facts, response(status, "body"), at)
    expect(outcome).toMatchObject({
      status: expected,
      healthy,
      statusCode: status,
      snippet: "body",
      gone: status === 410,
    })
    expect(outcome.error === null).toBe(healthy)
  })

  test("of the last attempt, and of a test, is final; a test says nothing about the endpoint", () => {
    expect(answered({ ...facts, attemptCount: 9 }, response(500), at)).toMatchObject({
      status: "failed",
      waitSeconds: null,
    })
    const test = { ...facts, eventType: "webhook.test" }
    expect(answered(test, response(500), at)).toMatchObject({ status: "failed", waitSeconds: null, healthy: null })
  })

  test("keeps at most 4 KiB of any response, as text that can be stored", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 6_000 }), (bytes) => {
        const { snippet } = answered(facts, { status: 200, retryAfter: undefined, snippet: Buffer.from(bytes) }, at)
        expect(Buffer.byteLength(snippet ?? "")).toBeLessThanOrEqual(4_096)
        expect(snippet?.includes("\0") ?? false).toBe(false)
        expect(snippet?.isWellFormed() ?? true).toBe(true)
      }),
    )
    expect(
      answered(facts, { status: 200, retryAfter: undefined, snippet: Buffer.from("é".repeat(3_000)) }, at).snippet,
    ).toBe("é".repeat(2_048))
  })

  test.each([
    [new DOMException("The operation was aborted due to timeout", "TimeoutError"), "No response within 15 seconds."],
    [
      new AggregateError([new Error("connect ECONNREFUSED 8.8.8.8:443")]),
      "The request failed: connect ECONNREFUSED 8.8.8.8:443",
    ],
    ["nonsense", "The request failed: unknown error"],
    [
      new TargetRefused({ code: "resolves_to", facts: { address: "10.0.0.1", why: "not_public" } }),
      "The host resolves to 10.0.0.1: the address is not public.",
    ],
    [new SecretUnreadable(), "The secret of the webhook cannot be read. Rotate it."],
  ])("stores the error %s as a code with its facts, whose sentence is made when it is read", (error, sentence) => {
    const outcome = unanswered(facts, error, at)
    expect(outcome).toMatchObject({ status: "pending", statusCode: null, error: expect.stringMatching(/^[a-z_]+$/) })
    expect(storedFailureText(outcome.error ?? "", outcome.errorFacts)).toBe(sentence)
    const { record } = recorded(outcome, { at: "2026-11-22T10:00:00.000Z", durationMs: 1 })
    expect(storedFailureText(record?.error ?? "", record?.errorFacts), "in the history").toBe(sentence)
  })

  test.each([
    ["The endpoint answered 500.", null, "The endpoint answered 500."],
    // A host of the release before has written over the code of a new one, and knows no facts.
    ["The endpoint answered 500.", { seconds: 15 }, "The endpoint answered 500."],
    ["shaping_too_slow", null, shapingFaults.shaping_too_slow],
  ])("that a delivery of an earlier release stores, %s with the facts %j, is read", (error, stored, sentence) => {
    expect(storedFailureText(error, stored)).toBe(sentence)
  })
})

const signed = (at: Date, body: string, secrets: Buffer[]) =>
  requestHeaders("evt_1", at, signatureOf("evt_1", at, body, secrets))

test("the library of Standard Webhooks takes what we sign with each secret, and nothing that was changed", () => {
  const [current, former] = ["a", "b"].map((seed) => createHash("sha256").update(seed).digest()) as [Buffer, Buffer]
  fc.assert(
    fc.property(fc.json(), (body) => {
      const headers = signed(new Date(), body, [current, former])
      for (const secret of [current, former]) {
        const judge = new Webhook(textOfSecret(secret))
        judge.verify(body, headers)
        expect(() => judge.verify(`${body} `, headers)).toThrow()
        expect(() => judge.verify(body, { ...headers, "webhook-id": "evt_2" })).toThrow()
      }
      expect(() => new Webhook(textOfSecret(Buffer.alloc(32))).verify(body, headers)).toThrow()
      const old = signed(new Date(Date.now() - 600_000), body, [current])
      expect(() => new Webhook(textOfSecret(current)).verify(body, old)).toThrow()
    }),
    { numRuns: 50 },
  )
})
