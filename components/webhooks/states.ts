import type { Tone } from "@/components/ui/pill"
import type { WebhookDelivery, Webhook, WebhookHealth } from "@/components/webhooks/queries"
import { formatNumber } from "@/lib/platform/format"
import { hourMs } from "@/lib/platform/time"

type State = { tone: Tone; word: string; tip: string }

const disabled: Record<string, State> = {
  paused: { tone: "wait", word: "Paused", tip: "It was paused. It gets no events until you enable it." },
  gone: {
    tone: "bad",
    word: "Disabled",
    tip: "The endpoint answered 410 Gone, so it is no longer called. Enable the webhook when the endpoint is back.",
  },
  failing: {
    tone: "bad",
    word: "Disabled",
    tip: "Every request has failed for 5 days. Fix the endpoint, then enable the webhook and replay the missed events.",
  },
}

/** How a webhook is, in one word, and what that means. */
export function webhookState(
  { enabled, disabledReason = "paused", failingSince, health }: Webhook,
  now: number,
): State {
  if (!enabled) return disabled[disabledReason] ?? { tone: "wait", word: "Disabled", tip: "It gets no events." }
  const retrying = health?.retrying ?? 0
  if (failingSince && now - Date.parse(failingSince) > hourMs)
    return {
      tone: "bad",
      word: "Failing",
      tip: "No request has succeeded for more than an hour. Deliveries are retried; after 5 days it is disabled.",
    }
  if (retrying > 0)
    return {
      tone: "warn",
      word: `Retrying ${capped(retrying)}`,
      tip: "Some deliveries failed and are retried automatically.",
    }
  if (!health?.lastSuccessAt) return { tone: "wait", word: "Ready", tip: "Nothing has been delivered yet." }
  return { tone: "good", word: "Healthy", tip: "The endpoint accepts its deliveries." }
}

function capped(count: number): string {
  return count > 1_000 ? "1,000+" : formatNumber(count)
}

/** The share of attempted deliveries that arrived, and the counts behind it; null while there are none. */
export function arrivedShare({ attempted, succeeded, recovered, failed }: WebhookHealth) {
  if (attempted === 0) return null
  const share = Math.floor((succeeded / attempted) * 1_000) / 10
  const percent = Number.isInteger(share / 100) ? `${share}%` : `${share.toFixed(1)}%`
  const waiting = Math.max(0, attempted - succeeded - failed)
  const parts = [
    `${formatNumber(succeeded)} of ${formatNumber(attempted)}.`,
    recovered > 0 && `${formatNumber(recovered)} succeeded on a retry.`,
    failed > 0 && `${formatNumber(failed)} failed permanently.`,
    waiting > 0 && `${formatNumber(waiting)} ${waiting === 1 ? "waits" : "wait"}.`,
  ]
  return { percent, sentence: parts.filter(Boolean).join(" "), whole: succeeded === attempted }
}

type DeliveryFacts = Pick<WebhookDelivery, "status" | "attemptCount" | "lastStatusCode">

/** Where a delivery is. */
export function deliveryState({ status, attemptCount, lastStatusCode }: DeliveryFacts): State {
  if (status === "success") return { tone: "good", word: "Delivered", tip: "The endpoint accepted it." }
  if (status === "failed")
    return { tone: "bad", word: "Failed", tip: "All attempts failed. Replay it once the endpoint works." }
  if (status === "cancelled")
    return { tone: "wait", word: "Cancelled", tip: "The webhook was disabled while it waited. Replay it to send it." }
  if (status === "processing") return { tone: "warn", word: "Sending", tip: "A request is in progress." }
  if (attemptCount === 0) return { tone: "wait", word: "Queued", tip: "It is about to be sent." }
  return {
    tone: "warn",
    word: "Waiting for retry",
    tip: lastStatusCode
      ? `The endpoint answered ${lastStatusCode}. It is retried automatically.`
      : "It is retried automatically.",
  }
}

const soonMs = 10_000

/** It will have changed in a moment. */
export function isBusy({ status, nextAttemptAt }: WebhookDelivery): boolean {
  if (status === "processing") return true
  return status === "pending" && nextAttemptAt !== undefined && Date.parse(nextAttemptAt) < Date.now() + soonMs
}

export const verifyWords =
  "Only requests signed with your secret come from Mailroom. Verify every request before you trust it."
