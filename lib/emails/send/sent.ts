import { z } from "zod"
import {
  dailyQuotaExceeded,
  domainNotVerified,
  idempotencyConflict,
  projectSuspended,
  sendRateExceeded,
} from "@/lib/emails/problems"
import { ClaimHeld } from "@/lib/emails/send/accept"
import type { Accepted, AcceptedMessage } from "@/lib/emails/send/data"
import type { Problem } from "@/lib/platform/http/problem"
import { serviceUnavailable } from "@/lib/platform/http/problems"
import { id, int32, timestamp } from "@/lib/platform/schema"
import { storageFull } from "@/lib/projects/schema"

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

type Refused = Exclude<Accepted, { messages: unknown }>

/** The problem for an outcome other than acceptance. */
export function refusalOf(refused: Refused): Problem {
  if (refused.outcome === "project_suspended") return projectSuspended()
  if (refused.outcome === "domain_not_verified") return domainNotVerified()
  if (refused.outcome === "storage_full") return storageFull()
  const kind = refused.outcome === "daily_exceeded" ? dailyQuotaExceeded : sendRateExceeded
  return kind(undefined, { retryAfterSeconds: "retryAfter" in refused ? refused.retryAfter : 1 })
}

/** A claim that is held by another request is the caller's conflict when they gave a key, else our being busy. */
export function heldOr(error: unknown, key: string | null): unknown {
  if (!(error instanceof ClaimHeld)) return error
  return (key === null ? serviceUnavailable : idempotencyConflict)(undefined, { retryAfterSeconds: 1 })
}

/**
 * The answer to a send: the first message that was not suppressed on top, all of them below when there are several or
 * the send went to an audience.
 */
export function sentEmail(messages: readonly AcceptedMessage[], audienceId: string | null = null): SentEmail {
  const leading = messages.find(({ status }) => status !== "suppressed") ?? messages[0]
  if (!leading) throw new Error("An accepted send has no message.")
  return {
    ...fieldsOf(leading),
    ...(audienceId === null ? {} : { audienceId }),
    ...(messages.length > 1 || audienceId !== null
      ? { messages: messages.map((message, index) => ({ index, ...fieldsOf(message) })) }
      : {}),
  }
}

export function fieldsOf({ id, messageId, status, scheduledAt, createdAt }: AcceptedMessage) {
  return { id, messageId, status, createdAt, ...(scheduledAt ? { scheduledAt } : {}) }
}
