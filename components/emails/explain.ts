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
        title: `We gave up on ${delivery.address}${tries(delivery)}.`,
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

const hardBounceFollows =
  "So we did not try again and put the address on the suppression list. Ask the recipient for their current address."
const simulatorRests =
  "So we did not try again. The simulator's addresses are never suppressed, unless they carry a +label."

/** The simulator names itself in every refusal; anybody's host may be called so. */
function isPlainSimulator({ address, diagnostic = "" }: Delivery): boolean {
  return /^[^+@]+@simulator\./i.test(address) && /\bsimulator\b/i.test(diagnostic)
}

function bounced(delivery: Delivery, last: Attempt | undefined): Explanation {
  const { address, bounceType, bounceCode = "" } = delivery
  const server = `The server of ${domainOf(address)}`
  const response = evidence(delivery, last)
  const tone = "bad"
  switch (bounceType) {
    case "hard":
      return {
        tone,
        title: /^5\.(1\.2|4\.4)$/.test(bounceCode)
          ? `The domain ${domainOf(address)} receives no mail.`
          : `The mailbox ${address} does not exist.`,
        detail: `${response} ${isPlainSimulator(delivery) ? simulatorRests : hardBounceFollows}`,
      }
    case "soft":
      return {
        tone,
        title: /^5\.2\.2$/.test(bounceCode)
          ? `The mailbox ${address} is full.`
          : `${server} returned this email for ${address}.`,
        detail: `${response} This may pass: the address is not suppressed, and you can send it again later.`,
      }
    case "block":
      return {
        tone,
        title: `${server} refused this email by its policy.`,
        detail: `${response} The address itself may be fine and is not suppressed. Read what the response asks for before you send more there.`,
      }
    case "content":
      return {
        tone,
        title: `${server} refused this email for its content or size.`,
        detail: `${response} The address itself may be fine and is not suppressed. Change the message, then send it again.`,
      }
    case "ours":
      return {
        tone,
        title: `${server} refused us as the sender.`,
        detail: `${response} This is no fault of ${address}. Check the DNS records of your sending domain.`,
        fix: "domains",
      }
    default:
      return { tone, title: `${server} refused the email for ${address}.`, detail: `${response} We did not try again.` }
  }
}

/** A recipient with attempts to come: explained only once an attempt has failed. */
function waiting(delivery: Delivery, last: Attempt, when: (at: string) => string): Explanation | null {
  if (last.outcome === "accepted") return null
  const next = delivery.nextAttemptAt ? ` The next try is ${when(delivery.nextAttemptAt)}.` : ""
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

function evidence({ diagnostic, attempts }: Delivery, last: Attempt | undefined): string {
  const words = diagnostic ?? last?.text
  if (!words) return "It gave no reason."
  const code = last?.code !== undefined || /^\d{3}\b/.test(words)
  if (!code) return sentence(words)
  const full = last?.code !== undefined && !/^\d{3}\b/.test(words) ? `${last.code} ${words}` : words
  return `Its server said “${full.replace(/[.\s]+$/, "")}”${attempts.length > 1 ? ` at attempt ${last?.attempt ?? attempts.length}` : " at once"}.`
}

function sentence(words: string): string {
  const text = words.trim()
  return /[.!?]$/.test(text) ? text : `${text}.`
}

function tries({ attempts }: Delivery): string {
  const count = attempts.at(-1)?.attempt ?? attempts.length
  if (count === 0) return ""
  return count === 1 ? " after one attempt" : ` after ${count} attempts`
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1)
}
