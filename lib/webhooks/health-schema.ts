import { z } from "zod"
import { int32, timestamp } from "@/lib/platform/schema"

/** More are counted as one more than this. */
export const retryingMax = 1_000

const figures = {
  attempted: int32.describe(
    "Deliveries of the last 24 hours that were attempted; tests are excluded from all figures.",
  ),
  succeeded: int32.describe("Of those, deliveries that the endpoint accepted."),
  recovered: int32.describe("Of those, deliveries accepted on a retry."),
  failed: int32.describe("Of those, deliveries that failed after the last attempt."),
  retrying: int32.describe(`Deliveries that wait for a retry, at most ${retryingMax + 1}.`),
  nextAttemptAt: timestamp.optional().describe("Time of the next of these retries."),
  lastSuccessAt: timestamp.optional().describe("Time of the last success among stored deliveries."),
  lastFailureAt: timestamp.optional().describe("Time of the last failed attempt among stored deliveries."),
}

export const WebhookHealth = z.strictObject(figures).meta({ id: "WebhookHealth" })
export type WebhookHealth = z.output<typeof WebhookHealth>

const Hour = z
  .strictObject({
    hour: timestamp.describe("When the hour begins, in UTC."),
    firstSucceeded: int32.describe("Deliveries of this hour whose first attempt succeeded."),
    firstFailed: int32.describe("Deliveries of this hour whose first attempt failed."),
  })
  .meta({ id: "WebhookHour" })

const Latency = z
  .strictObject({
    sample: int32.describe("Number of deliveries measured."),
    p50Ms: int32.describe("Median response time."),
    p95Ms: int32.describe("Response time of the 95th percentile."),
  })
  .meta({ id: "WebhookLatency" })

export const WebhookHealthDetail = z
  .strictObject({
    ...figures,
    hours: z.array(Hour).describe("The current hour and the 23 before it, oldest first, without gaps."),
    latency: Latency.optional().describe("Latency of the last 1,000 accepted deliveries."),
  })
  .meta({ id: "WebhookHealthResponse" })
