import { z } from "zod"
import { int32 } from "@/lib/platform/schema"

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
    region: z.string(),
    transport: z.string().describe("How the home region sends: `smtp`, or `sandbox`, which catches all email."),
    delivered: z
      .string()
      .describe(
        "Additive: when mail of the home region counts as delivered: `accept` (the next server took it), or `never` (it stays `sent`).",
      ),
  })
  .meta({ id: "ProjectSettings" })

export type LimitName = keyof z.output<typeof ProjectSettings>["limits"]
