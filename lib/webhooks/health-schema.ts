import { z } from "zod"
import { int32, timestamp } from "@/lib/platform/schema"

/** More are counted as one more than this. */
export const retryingMax = 1_000

const figures = {
  attempted: int32.describe("Deliveries of the last 24 hours that were attempted; tests are left out everywhere here."),
  succeeded: int32.describe("Of those, the ones that the endpoint has taken."),
  recovered: int32.describe("Of those, the ones that it took on a retry."),
  failed: int32.describe("Of those, the ones that were given up."),
  retrying: int32.describe(`Deliveries that wait for a retry, at most ${retryingMax + 1}.`),
  nextAttemptAt: timestamp.optional().describe("The first of these retries."),
  lastSuccessAt: timestamp.optional().describe("Of the deliveries that are kept."),
  lastFailureAt: timestamp.optional().describe("The last attempt that failed, of the deliveries that are kept."),
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
    sample: int32.describe("Deliveries that this is measured on."),
    p50Ms: int32.describe("Half were answered within this time."),
    p95Ms: int32.describe("95 of 100 were answered within this time."),
  })
  .meta({ id: "WebhookLatency" })

export const WebhookHealthDetail = z
  .strictObject({
    ...figures,
    hours: z.array(Hour).describe("The current hour and the 23 before it, oldest first, without gaps."),
    latency: Latency.optional().describe("Of the last 1,000 deliveries that the endpoint has taken."),
  })
  .meta({ id: "WebhookHealthResponse" })
