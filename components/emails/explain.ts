import { bounced, evidence } from "@/components/emails/bounced"
import { suppressed } from "@/components/emails/suppressed"
import type { Attempt, Delivery, Email, Explanation } from "@/components/emails/types"

/** Why an email has not arrived, for people; null where there is nothing to explain. Times are written by `when`. */
export function explain(email: Email, deliveries: Delivery[], when: (at: string) => string): Explanation | null {
  const whole = ofWhole(email, when)
  if (whole) return whole
  const stuck = deliveries.flatMap((delivery) => {
    const why = ofDelivery(delivery, when)
    return why ? [why] : []
  })
  const [first] = stuck
  if (!first) return null
  if (deliveries.length === 1) return first
  const worst = stuck.find(({ tone }) => tone === "bad") ?? first
  const held = stuck.length === 1 ? "One recipient" : `${stuck.length} recipients`
  return {
    ...worst,
    title: `${held} of ${deliveries.length} did not get this email.`,
    detail: `${worst.title} ${worst.detail}`,
  }
}

function ofWhole(email: Email, when: (at: string) => string): Explanation | null {
  switch (email.status) {
    case "scheduled":
      return {
        tone: "wait",
        title: email.scheduledAt ? `This email will be sent ${when(email.scheduledAt)}.` : "This email is scheduled.",
        detail: email.error ?? "Nothing has been sent yet. Until then you can reschedule or cancel it.",
      }
    case "cancelled":
      return {
        tone: "wait",
        title: "This email was cancelled before it was sent.",
        detail: "Nobody received it. To send it after all, send it again.",
      }
    case "rejected":
      return {
        tone: "bad",
        title: "This email was rejected before it was sent.",
        detail: `${email.error ?? "It broke a rule of this service."} Nothing was sent. Fix it and send it again.`,
      }
    case "test":
      return {
        tone: "wait",
        title: "This was a test: everything ran except delivery.",
        detail: "It was checked, composed and signed as a real one, cost no quota and reached nobody.",
      }
    default:
      return null
  }
}

function ofDelivery(delivery: Delivery, when: (at: string) => string): Explanation | null {
  const last = delivery.attempts.at(-1)
  switch (delivery.status) {
    case "bounced":
      return bounced(delivery, last)
    case "complained":
      return {
        tone: "bad",
        title: `${delivery.address} marked this email as spam.`,
        detail:
          "Their provider told us, so we put the address on the suppression list. Write only to people who asked for it.",
      }
    case "suppressed":
      return suppressed(delivery)
    case "failed":
      return {
        tone: "bad",
        title: `We gave up on ${delivery.address}${attemptsMade(delivery)}.`,
        detail: `${evidence(delivery, last)} Nobody was suppressed; you can send it again.`,
      }
    case "indeterminate":
      return {
        tone: "warn",
        title: `We do not know whether ${delivery.address} got this email.`,
        detail:
          "The message was sent, but the server's response was lost. Sending it again could deliver it twice, so we do not retry.",
      }
    default:
      return last && delivery.status !== "cancelled" ? waiting(delivery, last, when) : null
  }
}

/** A recipient with attempts to come: explained only once an attempt has failed. */
function waiting(delivery: Delivery, last: Attempt, when: (at: string) => string): Explanation | null {
  if (last.outcome === "accepted") return null
  const next = delivery.nextAttemptAt ? ` The next attempt is ${when(delivery.nextAttemptAt)}.` : ""
  if (last.outcome === "region_fault") {
    return {
      tone: "warn",
      title: "This region's mail server does not take our mail at the moment.",
      detail: `${evidence(delivery, last)} The operator of this service has to fix that; the email waits and nobody is suppressed.${next}`,
    }
  }
  return {
    tone: "warn",
    title: reasonToWait(delivery, last),
    detail: `${evidence(delivery, last)} We keep trying for up to 72 hours.${next}`,
  }
}

function reasonToWait({ address }: Delivery, { phase, code, outcome, remote }: Attempt): string {
  if (phase === "connect") return `${remote ?? "The next server"} cannot be reached.`
  if (outcome === "lost" || outcome === "ambiguous")
    return `We do not know whether ${address} got this email, so it is sent again.`
  if (code === undefined) return `The connection ended before the email for ${address} was accepted.`
  if (code < 400) return `The mail server gave an answer that does not fit for ${address}.`
  return `The mail server asks us to wait with the email for ${address}.`
}

function attemptsMade({ attempts }: Delivery): string {
  const count = attempts.at(-1)?.attempt ?? attempts.length
  if (count === 0) return ""
  return count === 1 ? " after one attempt" : ` after ${count} attempts`
}
