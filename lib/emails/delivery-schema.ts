import { z } from "zod"
import { id, int32, timestamp } from "@/lib/platform/schema"

export const Attempt = z
  .strictObject({
    id: id("att"),
    attempt: int32,
    outcome: z.string(),
    phase: z.string().optional(),
    code: int32.optional(),
    enhanced: z.string().optional(),
    text: z.string().optional(),
    remote: z.string().optional(),
    tls: z.string().optional(),
    conversation: z.array(z.string()).optional(),
    startedAt: timestamp,
    endedAt: timestamp.optional(),
  })
  .meta({ id: "DeliveryAttempt" })

export type Attempt = z.output<typeof Attempt>

export const Delivery = z
  .strictObject({
    id: id("dlv"),
    role: z.enum(["to", "cc", "bcc"]),
    address: z.string(),
    status: z.string(),
    attempts: z.array(Attempt),
    nextAttemptAt: timestamp.optional(),
    bounceType: z.string().optional(),
    bounceCode: z.string().optional(),
    diagnostic: z.string().optional(),
    suppressedBy: z
      .string()
      .optional()
      .describe("Additive: why nothing was sent: the reason on the suppression list, `topic_opt_out` or `simulator`."),
    suppressedDetail: z
      .string()
      .optional()
      .describe("Additive: for `topic_opt_out`, the topic that the recipient was not subscribed to."),
    sentAt: timestamp.optional(),
    deliveredAt: timestamp.optional(),
    endedAt: timestamp.optional(),
  })
  .meta({ id: "Delivery" })

export type Delivery = z.output<typeof Delivery>

export const DeliveryList = z.strictObject({ data: z.array(Delivery) }).meta({ id: "DeliveryList" })
