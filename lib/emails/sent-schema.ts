import { z } from "zod"
import { id, int32, timestamp } from "@/lib/platform/schema"

const itemFields = {
  id: id("email").optional(),
  status: z.string().optional(),
  messageId: z.string().optional(),
  scheduledAt: timestamp.optional(),
  createdAt: timestamp.optional(),
}

export const ProblemShape = z.record(z.string(), z.unknown())

export const BatchItem = z
  .strictObject({
    index: int32,
    ...itemFields,
    error: z.string().optional().describe("The problem's code, a colon and its detail."),
    problem: ProblemShape.optional().describe("Additive: the whole problem document."),
  })
  .meta({ id: "BatchSendItemResponse" })

export const SentEmail = z
  .strictObject({
    id: id("email"),
    status: z.string(),
    messageId: z.string().optional(),
    scheduledAt: timestamp.optional(),
    createdAt: timestamp,
    audienceId: z.string().optional(),
    messages: z.array(BatchItem).optional().describe("One per recipient, if the request created several messages."),
  })
  .meta({ id: "SendEmailResponse" })

export type SentEmail = z.output<typeof SentEmail>

/** An envelope of items; each item is judged on its own. */
export const NewBatch = z
  .strictObject({
    items: z
      .array(z.record(z.string(), z.unknown()))
      .min(1, "Must hold an item.")
      .max(100, "May hold 100 items.")
      .meta({ items: { $ref: "#/components/schemas/SendEmailRequest" } }),
  })
  .meta({ id: "BatchSendRequest" })

export const SentBatch = z.strictObject({ results: z.array(BatchItem) }).meta({ id: "BatchSendResponse" })
