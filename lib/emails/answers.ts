import { ClaimHeld } from "@/lib/emails/accept"
import type { Accepted, AcceptedMessage } from "@/lib/emails/accept-sql"
import {
  dailyQuotaExceeded,
  domainNotVerified,
  idempotencyConflict,
  projectSuspended,
  sendRateExceeded,
} from "@/lib/emails/problems"
import type { SentEmail } from "@/lib/emails/sent-schema"
import type { Problem } from "@/lib/platform/http/problem"
import { serviceUnavailable } from "@/lib/platform/http/problems"
import { storageFull } from "@/lib/projects/schema"

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
