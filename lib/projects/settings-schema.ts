import { z } from "zod"
import { int32, int64, timestamp } from "@/lib/platform/schema"

const Gauge = z
  .strictObject({
    value: int32,
    ceiling: int32.describe("The highest value that the operator allows."),
    used: int32.optional().describe("Current use; for `dailySends`, of the whole organization since midnight UTC."),
  })
  .meta({ id: "LimitGauge" })

export const ProjectSettings = z
  .strictObject({
    limits: z.strictObject({
      perSecondSends: Gauge,
      dailySends: Gauge,
      maxRecipientsPerMessage: Gauge,
      maxDomains: Gauge,
      maxApiKeys: Gauge,
      maxWebhooks: Gauge,
    }),
    today: z
      .strictObject({
        resetsAt: timestamp.describe("When the daily allowance resets: midnight UTC."),
        perHour: int32
          .optional()
          .describe("Sends per hour at the rate of the last hour; absent with less than 15 minutes of data today."),
        runsOutAt: timestamp
          .optional()
          .describe("When the daily allowance will be used up at this rate; absent unless that is before `resetsAt`."),
      })
      .describe("Additive: the forecast of the organization's daily allowance."),
    burst: z
      .strictObject({
        size: int32.describe("Sends that are accepted at once after a pause."),
        used: int32.describe("How many of them are used now; they are refilled at `perSecondSends` per second."),
      })
      .describe("Additive: the allowance per second. Sends are refused while all of it is used."),
    storage: z
      .strictObject({
        usedBytes: int64.describe(
          "Content of emails, sandbox messages, webhook deliveries, pictures and import files.",
        ),
        limitBytes: int64.describe("Beyond it, sends and uploads are refused with 413 `project.storage_full`."),
      })
      .describe("Additive: what the project stores. Only the operator can change the limit."),
    region: z.string(),
    transport: z.string().describe("How the home region sends: `smtp`, or `sandbox`, which captures all email."),
    delivered: z
      .string()
      .describe(
        "Additive: when email of the home region counts as delivered: `accept` (when the next server accepts it), or `never` (nobody reports it: email ends at `sent`, and metrics count it as `deliveryNotReported`).",
      ),
  })
  .meta({ id: "ProjectSettings" })

export type LimitName = keyof z.output<typeof ProjectSettings>["limits"]
