import { bareAddress } from "@/components/emails/address"
import { topicIn } from "@/components/compose/addresses"
import { audienceCheck, type Audience } from "@/components/compose/audience"
import type { Check, Recipient } from "@/components/compose/check"
import { bodyOf, type Fields } from "@/components/compose/fields"

export type Around = {
  domains: { domain: string; status: string }[] | undefined
  recipients: Recipient[]
  /** A topic or segment in To instead of addresses. */
  audience?: Audience
  /** Those of the project, once they are known. */
  topics?: { id: string; name: string }[]
  maxRecipients: number
  now: number
}

export function senderCheck({ from }: Fields, { domains }: Around): Check {
  const base = { id: "sender", field: "from" as const }
  const address = bareAddress(from.trim())
  const at = address.lastIndexOf("@")
  if (at < 1)
    return { ...base, tone: "wait", title: "No sender yet", detail: "An address on a verified domain of this project." }
  if (!domains) return { ...base, tone: "wait", title: "Sender not checked yet", allowed: true }
  const name = address.slice(at + 1).toLowerCase()
  const domain = domains.find((one) => one.domain === name)
  if (!domain) {
    return {
      ...base,
      tone: "bad",
      title: "The sender's domain is not in this project",
      detail: `Add ${name} and publish its records first.`,
      fix: "domains",
      allowed: true,
    }
  }
  if (domain.status === "verified") return { ...base, tone: "good", title: "Sender verified", detail: name }
  if (domain.status === "degraded") {
    return {
      ...base,
      tone: "warn",
      title: "The sender's domain is degraded",
      detail: `A record of ${name} is missing; email is still sent for up to 72 hours.`,
      fix: "domains",
    }
  }
  return {
    ...base,
    tone: "bad",
    title: "The sender's domain is not verified",
    detail: `${name} cannot send until its records are found.`,
    fix: "domains",
    allowed: true,
  }
}

export function recipientCheck(fields: Fields, { recipients, audience, maxRecipients }: Around): Check {
  if (audience) return audienceCheck(audience)
  const base = { id: "recipients", field: "to" as const }
  const of = (state: Recipient["state"]) => recipients.filter((one) => one.state === state)
  const [invalid, suppressed] = [of("invalid"), of("suppressed")]
  if (bodyOf(fields).to.length === 0) return { ...base, tone: "wait", title: "No recipient yet" }
  if (recipients.length > maxRecipients) {
    return {
      ...base,
      tone: "bad",
      title: "Too many recipients",
      detail: `${recipients.length} of at most ${maxRecipients} in to, cc and bcc.`,
    }
  }
  if (invalid.length)
    return {
      ...base,
      tone: "bad",
      title: "Not every recipient is an address",
      detail: invalid.map(({ address }) => address).join(", "),
    }
  if (suppressed.length === recipients.length) {
    const why = suppressed.length === 1 && suppressed[0]?.detail ? `${suppressed[0].detail}. ` : ""
    return {
      ...base,
      tone: "bad",
      title: "Every recipient is suppressed",
      detail: `${why}Nothing would be sent to ${named(suppressed)}; the email would end as Suppressed.`,
      allowed: true,
    }
  }
  if (suppressed.length) {
    return {
      ...base,
      tone: "warn",
      title: `${suppressed.length} of ${recipients.length} recipients suppressed`,
      detail: `Nothing goes to ${named(suppressed)}; the others get theirs.`,
    }
  }
  if (of("unknown").length) return { ...base, tone: "wait", title: "Recipients not checked yet", allowed: true }
  return {
    ...base,
    tone: "good",
    title: recipients.length === 1 ? "One recipient" : `${recipients.length} recipients`,
    detail: messagesWords(fields, recipients.length),
  }
}

/** The first three by their address: more would bury what is said of them. */
function named(recipients: Recipient[]): string {
  const shown = recipients.slice(0, 3).map(({ address }) => bareAddress(address))
  const more = recipients.length - shown.length
  return more > 0 ? `${shown.join(", ")} and ${more} more` : shown.join(" and ")
}

function messagesWords({ cc, bcc }: Fields, count: number): string {
  if (count === 1) return "Not suppressed."
  if (cc.trim() || bcc.trim()) return "One message that all of them share; to and cc see each other."
  return "One message each; none of them sees the others."
}

/** Of a topic beside addresses or a segment; what it takes from a segment is said of the recipients. */
export function topicCheck({ to, topicId }: Fields, { topics, audience }: Around): Check | null {
  if (!topicId || topicIn(to) || !topics) return null
  const base = { id: "topic", field: "topicId" as const }
  const name = topics.find(({ id }) => id === topicId)?.name
  if (name === undefined)
    return {
      ...base,
      tone: "bad",
      title: "The topic no longer exists",
      detail: "Choose another, or none.",
      allowed: true,
    }
  if (audience)
    return {
      ...base,
      tone: "good",
      title: `Only subscribers of ${name}`,
      detail: "Segment members who are not subscribed to this topic are excluded.",
    }
  return {
    ...base,
    tone: "good",
    title: `Part of ${name}`,
    detail:
      "Contacts who are not subscribed to this topic are suppressed. An address that is not a contact gets it, unless it has unsubscribed.",
  }
}

export function unsubscribeCheck(
  { sendTimeCategory, tracking, topicId, cc, bcc }: Fields,
  { recipients, audience }: Around,
): Check {
  const wanted =
    audience ||
    topicId ||
    tracking.unsubscribeTracking === "on" ||
    (tracking.unsubscribeTracking === "" && sendTimeCategory !== "transactional")
  const base = { id: "unsubscribe", title: "Unsubscribe" }
  if (!wanted && sendTimeCategory === "transactional")
    return { ...base, tone: "good", detail: "Transactional email carries no unsubscribe header." }
  if (!wanted) {
    return {
      ...base,
      tone: "warn",
      title: "No unsubscribe header",
      detail: "Gmail and Yahoo require one-click unsubscribe in email that is not transactional.",
    }
  }
  const shared = cc.trim() !== "" || bcc.trim() !== ""
  if (shared && tracking.unsubscribeTracking === "on") {
    const detail =
      "Email with cc or bcc is one shared message and cannot carry an unsubscribe link. Remove cc and bcc, or turn the link off."
    return { ...base, tone: "bad", title: "Unsubscribe link refused", detail, allowed: true }
  }
  if (shared && recipients.length > 1) {
    return {
      ...base,
      tone: "warn",
      title: "No unsubscribe header",
      detail: "A shared message cannot carry one; remove cc and bcc.",
    }
  }
  return { ...base, tone: "good", detail: "One-click unsubscribe (RFC 8058) goes into the headers." }
}
