import { inOrder, stepsOf, type HappenedStep } from "@/components/emails/steps"
import type { Email, Explanation } from "@/components/emails/queries"

/** The journey of an email: what happened to it, when it was signed, and its webhook deliveries. */
export function journeyOf(email: Email, explanation: Explanation): HappenedStep[] {
  const { events, recipients, acceptedWith, signedAt, webhookDeliveries = [] } = explanation
  const steps = stepsOf(email, events, recipients).map((step) =>
    accepting.has(step.kind) && acceptedWith
      ? {
          ...step,
          link: {
            before: "API key",
            words: acceptedWith.name ?? acceptedWith.keyId,
            path: `api-keys/${acceptedWith.keyId}`,
          },
        }
      : step,
  )
  const domain = email.from.replace(/>\s*$/, "").split("@").at(-1)
  const signed: HappenedStep[] = signedAt
    ? [{ id: "signed", kind: "signed", at: signedAt, tone: "good", title: "Signed", detail: `DKIM for ${domain}` }]
    : []
  return inOrder([...steps, ...signed, ...webhookDeliveries.flatMap(ofWebhook)])
}

const accepting = new Set(["queued", "scheduled", "test"])

type WebhookDelivery = NonNullable<Explanation["webhookDeliveries"]>[number]

/** Deliveries that have not ended are no steps yet. */
function ofWebhook(delivery: WebhookDelivery): HappenedStep[] {
  const { id, status, eventType, lastStatusCode, lastError, webhookEndpointId, updatedAt } = delivery
  if (status !== "success" && status !== "failed") return []
  const good = status === "success"
  return [
    {
      id,
      kind: "webhook",
      at: updatedAt,
      tone: good ? "good" : "bad",
      title: good ? "Webhook delivered" : "Webhook failed",
      link: {
        words: [eventType, lastStatusCode ?? lastError].filter(Boolean).join(", "),
        path: `webhooks/${webhookEndpointId}`,
      },
    },
  ]
}

/** The answer in a few words: "Delivered in 284 ms", "Bounced after 1.2 s", "Waiting for attempt 4". */
export function journeyAnswer(email: Email, { status, recipients, events }: Explanation): string {
  const ended = { delivered: "Delivered in", bounced: "Bounced after" } as const
  const reached = status === "opened" || status === "clicked" || status === "complained" ? "delivered" : status
  if (reached === "delivered" || reached === "bounced") {
    const at = events.find(({ type }) => type === reached)?.occurredAt
    // Once it is due, a scheduled email no longer waits.
    return at && !email.scheduledAt
      ? `${ended[reached]} ${duration(Date.parse(at) - Date.parse(email.createdAt))}`
      : { delivered: "Delivered", bounced: "Bounced" }[reached]
  }
  const next = nextAttemptOf(recipients)
  return next ? `Waiting for attempt ${next.number}` : (answers[status] ?? "What happened")
}

const answers: Record<string, string> = {
  scheduled: "Waiting for its time",
  suppressed: "Not sent",
  rejected: "Not sent",
  cancelled: "Not sent",
  failed: "Not delivered",
  sent: "Sent, delivery not reported",
}

/** The attempt that is due next, where one was made before. */
export function nextAttemptOf(recipients: Explanation["recipients"]): { number: number; at: string } | undefined {
  return recipients.flatMap(({ nextAttemptAt, attempts }) =>
    nextAttemptAt && attempts.length > 0 ? [{ number: (attempts.at(-1)?.attempt ?? 0) + 1, at: nextAttemptAt }] : [],
  )[0]
}

/** What is still to come: the next attempt, or the time of a scheduled email. */
export function comingOf({ status, scheduledAt }: Email, { recipients }: Explanation): Coming {
  if (status === "scheduled" && scheduledAt) return { title: "Sent", at: scheduledAt }
  const next = nextAttemptOf(recipients)
  return next ? { title: `Attempt ${next.number}`, at: next.at } : { title: "More to come" }
}

/** Where the way of an email ends at a relay that reports nothing further of one of its recipients. */
export function endOf({ recipients }: Pick<Explanation, "recipients">): End | undefined {
  if (!recipients.some(({ status }) => status === "sent")) return undefined
  return {
    title: "The relay reports nothing further",
    detail: "If a server refuses the email later, the bounce comes back by mail.",
  }
}

export type End = { title: string; detail: string }

export type Coming = { title: string; at?: string }

/** "284 ms", "1.2 s", "2 min 22 s", "3 h 5 min", "2 d 4 h". */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`
  if (ms < 10_000) return `${(ms / 1_000).toFixed(1)} s`
  const seconds = Math.round(ms / 1_000)
  const at = Math.max(
    0,
    units.findIndex(([size]) => seconds >= size),
  )
  const [[size, name] = [1, "s"], [smaller, smallerName] = [size, ""]] = units.slice(at, at + 2)
  const rest = Math.floor((seconds % size) / smaller)
  return `${Math.floor(seconds / size)} ${name}${rest ? ` ${rest} ${smallerName}` : ""}`
}

const units: (readonly [number, string])[] = [
  [86_400, "d"],
  [3_600, "h"],
  [60, "min"],
  [1, "s"],
]
