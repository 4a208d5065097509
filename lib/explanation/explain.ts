import type { EmailStatus } from "@/lib/emails/message-rules"
import type { Delivery } from "@/lib/emails/schema"
import { isFailureReason, type Reason } from "@/lib/explanation/codes"
import type { Circumstances } from "@/lib/explanation/data"
import type { Facts } from "@/lib/explanation/facts"
import { factsOf } from "@/lib/explanation/facts-of"
import type { Decision, ExplainedRecipient, Explanation } from "@/lib/explanation/schema"
import { type OfRecipient, summary } from "@/lib/explanation/summary"
import { explained } from "@/lib/explanation/table"

/** The explanation of an email and of each recipient. */
export function explainEmail(
  circumstances: Circumstances,
  deliveries: readonly Delivery[],
): Omit<Explanation, "events" | "webhookDeliveries"> {
  const { email } = circumstances
  const recipients = deliveries.map((delivery) => recipientOf(circumstances, delivery))
  const [first, ...others] = recipients.map(({ status, ...recipient }): OfRecipient => {
    return { ...recipient, status: status as EmailStatus }
  })
  const whole = first ? summary([first, ...others]) : explained(factsOf(circumstances))
  return { emailId: email.id, status: email.status, ...whole, recipients }
}

function recipientOf(circumstances: Circumstances, delivery: Delivery): ExplainedRecipient {
  const facts = factsOf(circumstances, delivery)
  const answer = explained(facts)
  const evidence = evidenceOf(delivery, facts.reason)
  return {
    ...delivery,
    ...answer,
    ...(evidence && { evidence }),
    decisions: decisionsOf(circumstances, delivery, { facts, cause: answer.cause }),
  }
}

/** Between the times of one request and of what it decided about a recipient. */
const sameRequestMs = 1_000

type Told = { facts: Facts; cause: string }

function decisionsOf({ email }: Circumstances, delivery: Delivery, { facts, cause }: Told): Decision[] {
  const { address, status, attempts, endedAt } = delivery
  const end = endedAt ?? email.updatedAt
  const atOnce = attempts.length === 0 && end.getTime() - email.createdAt.getTime() < sameRequestMs
  const accepted: Decision = email.testMode
    ? { at: email.createdAt, decision: "test", sentence: `Accepted as a test: nothing is sent to ${address}.` }
    : { at: email.createdAt, decision: "accepted", sentence: `The email for ${address} was accepted.` }
  if (status === "suppressed") {
    const suppressed: Decision = { at: end, decision: "suppressed", reason: facts.suppressedBy, sentence: cause }
    return atOnce ? [suppressed] : [accepted, suppressed]
  }
  if (status === "cancelled")
    return [accepted, { at: end, decision: "cancelled", sentence: "The email was cancelled before it was sent." }]
  return [accepted]
}

/**
 * What the server or our own error said in the last attempt, as a sentence; undefined where nothing was said, and where the reason
 * has nothing to do with a server.
 */
function evidenceOf(
  { diagnostic, attempts, status, suppressedBy }: Delivery,
  reason: Reason | null,
): string | undefined {
  if (suppressedBy !== undefined || status === "suppressed") return undefined
  if (isFailureReason(reason) && reason.code !== "attempts") return undefined
  const last = attempts.at(-1)
  const words = last?.outcome === "accepted" && diagnostic === undefined ? undefined : (diagnostic ?? last?.text)
  if (!words) return undefined
  const code = last?.code
  const named = /^\d{3}\b/.test(words)
  if (code === undefined && !named) return finished(words)
  const full = code !== undefined && !named ? `${code} ${words}` : words
  const when = attempts.length > 1 ? ` at attempt ${last?.attempt ?? attempts.length}` : ""
  return `The server said “${full.replace(/[.\s]+$/, "")}”${when}.`
}

function finished(words: string): string {
  const text = words.trim()
  return /[.!?]$/.test(text) ? text : `${text}.`
}
