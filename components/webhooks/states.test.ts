import { expect, test } from "vitest"
import type { WebhookDelivery, Webhook } from "@/components/webhooks/queries"
import { arrivedShare, deliveryState, webhookState } from "@/components/webhooks/states"

const now = Date.parse("2026-11-22T12:00:00Z")
const calm = {
  attempted: 10,
  succeeded: 10,
  recovered: 0,
  failed: 0,
  retrying: 0,
  lastSuccessAt: "2026-11-22T11:59:00Z",
}
const webhook = (change: Partial<Webhook> = {}) => ({ enabled: true, health: calm, ...change }) as Webhook

test.each<[string, string, Webhook]>([
  ["Healthy", "good", webhook()],
  ["Ready", "wait", webhook({ health: { ...calm, lastSuccessAt: undefined } })],
  ["Retrying 2", "warn", webhook({ health: { ...calm, retrying: 2 }, failingSince: "2026-11-22T11:30:00Z" })],
  ["Retrying 1,000+", "warn", webhook({ health: { ...calm, retrying: 1_001 } })],
  ["Failing", "bad", webhook({ health: { ...calm, retrying: 2 }, failingSince: "2026-11-22T10:30:00Z" })],
  ["Paused", "wait", webhook({ enabled: false, disabledReason: "paused" })],
  ["Disabled", "bad", webhook({ enabled: false, disabledReason: "gone" })],
  ["Disabled", "bad", webhook({ enabled: false, disabledReason: "failing" })],
])("a webhook is %s", (word, tone, given) => {
  expect(webhookState(given, now)).toMatchObject({ word, tone })
})

test("the share that arrived is rounded down, so that 100% means all", () => {
  expect(arrivedShare({ ...calm, attempted: 0, succeeded: 0 })).toBeNull()
  expect(arrivedShare({ ...calm, attempted: 1_288, succeeded: 1_286, recovered: 18 })).toEqual({
    percent: "99.8%",
    sentence: "1,286 of 1,288. 18 succeeded on a retry. 2 wait.",
    whole: false,
  })
  expect(arrivedShare({ ...calm, attempted: 100_000, succeeded: 99_999, failed: 1 })?.percent).toBe("99.9%")
  expect(arrivedShare(calm)).toEqual({ percent: "100%", sentence: "10 of 10.", whole: true })
})

test("a delivery that waits for its first attempt is not yet one that is retried", () => {
  const delivery = (change: Partial<WebhookDelivery>) =>
    deliveryState({ status: "pending", attemptCount: 0, ...change } as WebhookDelivery)
  expect(delivery({}).word).toBe("Queued")
  expect(delivery({ attemptCount: 1, lastStatusCode: 500 })).toMatchObject({
    word: "Waiting for retry",
    tip: expect.stringContaining("500"),
  })
  expect(["success", "failed", "cancelled", "processing"].map((status) => delivery({ status }).word)).toEqual([
    ...["Delivered", "Failed", "Cancelled", "Sending"],
  ])
})
