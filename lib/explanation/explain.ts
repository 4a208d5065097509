import { suppressionReasons } from "@/lib/consent/rules"
import { secondsToLive } from "@/lib/delivery/queue/rules"
import { bounceTypeOf } from "@/lib/delivery/transports/classify"
import { isSimulated, simulatorRoute } from "@/lib/emails/simulator"
import type { EmailStatus } from "@/lib/emails/message-rules"
import type { Attempt, Delivery } from "@/lib/emails/schema"
import { isFailureReason, type OwnWaitCode, type Reason, type ReasonCode } from "@/lib/explanation/codes"
import type { Circumstances } from "@/lib/explanation/data"
import {
  type AttemptClass,
  type AttemptPhase,
  type Explained,
  type Facts,
  type ReplyKind,
  severities,
  type SuppressedBy,
  type Via,
  type Wait,
} from "@/lib/explanation/facts"
import type { ExplainedRecipient, Explanation, ExplanationDecision } from "@/lib/explanation/schema"
import { explained } from "@/lib/explanation/table"
import { handedOver } from "@/lib/explanation/words"
import { regionNames } from "@/lib/regions/regions"
import { regionSettings } from "@/lib/regions/settings"
import { topicDeleted, topicOptOut } from "@/lib/topics/rules"

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

function decisionsOf({ email }: Circumstances, delivery: Delivery, { facts, cause }: Told): ExplanationDecision[] {
  const { address, status, attempts, endedAt } = delivery
  const end = endedAt ?? email.updatedAt
  const atOnce = attempts.length === 0 && end.getTime() - email.createdAt.getTime() < sameRequestMs
  const accepted: ExplanationDecision = email.testMode
    ? { at: email.createdAt, decision: "test", sentence: `Accepted as a test: nothing is sent to ${address}.` }
    : { at: email.createdAt, decision: "accepted", sentence: `The email for ${address} was accepted.` }
  if (status === "suppressed") {
    const suppressed: ExplanationDecision = {
      at: end,
      decision: "suppressed",
      reason: facts.suppressedBy,
      sentence: cause,
    }
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
  if (last?.outcome === "accepted" && diagnostic === undefined && last.source) return handedOver(last)
  const words = last?.outcome === "accepted" && diagnostic === undefined ? undefined : (diagnostic ?? last?.text)
  if (!words) return undefined
  // The server took it: what is known of its end came back later.
  if (last?.outcome === "accepted") return `The report that came back says “${words.replace(/[.\s]+$/, "")}”.`
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

// What the table decides by

/** What the table decides by, of one recipient, or of an email without any. */
function factsOf(circumstances: Circumstances, delivery?: Delivery): Facts {
  const { email, routes, rate } = circumstances
  const last = delivery?.attempts.at(-1)
  const route = delivery && routes.get(delivery.id)
  const via = viaOf(route, last)
  const limit = route?.limit
  const reason = limit ? limit : reasonOf(email.reason, route?.reason)
  return {
    // Whoever writes a delivery's status takes it from `emailStatuses`.
    status: (delivery?.status ?? email.status) as EmailStatus,
    attemptClass: classOf(delivery, last),
    phase: among(phases, last?.phase) ?? "none",
    reply: replyOf(last),
    via,
    wait: waitOf(circumstances, delivery),
    suppressedBy: among(suppressors, delivery?.suppressedBy) ?? "unknown",
    failure: failureOf(reason),
    reason,
    address: delivery?.address ?? email.to[0] ?? "the recipient",
    region: route?.region ?? "",
    direct: isDirect(route?.region),
    server: serverNames[via] ?? last?.remote?.split(/[\s:]/)[0] ?? "the next server",
    // Of an old email, some or all attempts are no longer stored.
    attempts: Math.max(last?.attempt ?? 0, route?.attempts ?? 0),
    bounceCode: delivery?.bounceCode ?? "",
    topic: circumstances.topic ?? "",
    rate,
    scheduledAt: email.scheduledAt,
    deadlineHours: secondsToLive(email.giveUpAfter) / 3600,
  }
}

/** A recipient's own reason says more than that of the email; hosts of the release before write only the latter. */
function reasonOf(ofEmail: Reason | null, own: Reason | null | undefined): Reason | null {
  if (own && (isFailureReason(own) || ofEmail?.code !== "recorded")) return own
  return ofEmail
}

/** Whatever else is stored, an email that failed was attempted until its deadline. */
function failureOf(reason: Reason | null): Facts["failure"] {
  if (isFailureReason(reason)) return reason.code
  return reason?.code === "recorded" ? "recorded" : "attempts"
}

const serverNames: Record<Via, string | undefined> = {
  relay: undefined,
  sandbox: "the sandbox",
  simulator: "the simulator",
}

const phases = keysOf<AttemptPhase>({
  ...{ none: 0, connect: 0, greeting: 0, ehlo: 0, starttls: 0, auth: 0, mail: 0, rcpt: 0, data: 0, final: 0 },
})
const unrefused = ["accepted", "deferred", "region_fault", "ambiguous", "lost"] as const
const bounceTypes = ["hard", "soft", "block", "content", "ours"] as const
const suppressors: readonly SuppressedBy[] = [...suppressionReasons, topicOptOut, topicDeleted, "simulator"]

function keysOf<K extends string>(keys: Record<K, 0>): readonly K[] {
  return Object.keys(keys) as K[]
}

function among<T extends string>(values: readonly T[], value: string | undefined): T | undefined {
  return values.find((one) => one === value)
}

/** A bounce that is reported after the message was accepted has a type of its own. */
function classOf(delivery: Delivery | undefined, last: Attempt | undefined): AttemptClass {
  const type = among(bounceTypes, delivery?.bounceType)
  if (type && (delivery?.status === "bounced" || last?.outcome === "refused")) return type
  if (last?.outcome === "refused")
    return bounceTypeOf(
      { enhanced: last.enhanced, code: last.code, text: last.text ?? "", phase: among(smtpPhases, last.phase) },
      "unknown",
    )
  return among(unrefused, last?.outcome) ?? "none"
}

const smtpPhases = phases.flatMap((phase) => (phase === "none" ? [] : phase))

function replyOf(last: Attempt | undefined): ReplyKind {
  const code = last?.code
  if (code === undefined) return "none"
  if (code >= 500) return "permanent"
  return code >= 400 ? "temporary" : "unexpected"
}

function viaOf(route: { region: string; canonical: string } | undefined, last: Attempt | undefined): Via {
  if (route && isSimulated(route.canonical)) return "simulator"
  // The server of the attempt tells it also after the region got a relay.
  if (last?.remote !== undefined) return isSandbox(last.remote) ? "sandbox" : "relay"
  const region = regionNames.find((one) => one === route?.region)
  return region && regionSettings().profiles[region].transport === "sandbox" ? "sandbox" : "relay"
}

function isDirect(name: string | undefined): boolean {
  const region = regionNames.find((one) => one === name)
  return region !== undefined && regionSettings().profiles[region].transport === "direct"
}

function isSandbox(remote: string): boolean {
  return remote.endsWith(`127.0.0.1:${regionSettings().sandboxSmtpPort}`)
}

/** After so long a due delivery waits for its turn, not for the next round of the worker. */
const turnSeconds = 5

/** What an email waits for at and after its scheduled time. */
const scheduledWaits: Partial<Record<string, Wait>> = {
  rate_limit: "rate",
  daily_limit: "quota",
  recorded: "recorded",
} satisfies Partial<Record<ReasonCode, Wait>>

/** What this installation or the provider of the region decides on, before anything is sent. */
const ownWaits = new Set<ReasonCode>([
  "warm_up",
  "egress_paused",
  "setup_incomplete",
  "region_paced",
] satisfies OwnWaitCode[])

function waitOf({ email, routes, down, suspended, now }: Circumstances, delivery: Delivery | undefined): Wait {
  const route = delivery && routes.get(delivery.id)
  if (suspended) return "suspended"
  if (email.status === "scheduled") return scheduledWaits[email.reason?.code ?? ""] ?? "time"
  const outage = route && down.get(isSimulated(route.canonical) ? simulatorRoute : route.region)
  if (outage) return outage
  const reason = reasonOf(email.reason, route?.reason)
  const code = reason?.code
  if (code !== undefined && ownWaits.has(code)) return "source"
  if (code === "domain_unverified") return "unverified"
  if (route?.limit && delivery?.nextAttemptAt) return "destination"
  // Of one address that the destination refuses, only the mail's own reason tells.
  if (reason && isAddressBlock(reason) && delivery?.nextAttemptAt) return "destination"
  const due = delivery?.nextAttemptAt
  return due && now.getTime() - due.getTime() > turnSeconds * 1_000 ? "turn" : "none"
}

function isAddressBlock({ code, facts }: Reason): boolean {
  return code === "destination" && "address" in facts && facts.address !== undefined
}

// The explanation of an email with several recipients

/** What a status means for the recipient, where an email has several. */
type Result = "has it" | "missed" | "waits" | "unknown" | "complained"

const results: Record<EmailStatus, Result> = {
  scheduled: "waits",
  queued: "waits",
  sending: "waits",
  delivery_delayed: "waits",
  sent: "has it",
  delivered: "has it",
  opened: "has it",
  clicked: "has it",
  complained: "complained",
  bounced: "missed",
  failed: "missed",
  rejected: "missed",
  suppressed: "missed",
  cancelled: "missed",
  test: "missed",
  indeterminate: "unknown",
}

const counted: Record<Result, (some: string) => string> = {
  "has it": (some) => `${some} have this email`,
  missed: (some) => `${some} did not get this email`,
  waits: (some) => `Delivery to ${some} is still to come`,
  unknown: (some) => `It is not known whether ${some} got this email`,
  complained: (some) => `${some} marked this email as spam`,
}

export type OfRecipient = Explained & { status: EmailStatus }

/** The explanation of an email from those of its recipients, of which there is at least one. */
export function summary(all: readonly [OfRecipient, ...OfRecipient[]]): Explained {
  const [first] = all
  if (all.every(({ cause, fix }) => cause === first.cause && fix === first.fix)) return explanationOf(first)
  const worst = all.reduce((one, other) => (rank(other) > rank(one) ? other : one))
  const same = all.filter(({ status }) => results[status] === results[worst.status])
  const some = same.length === all.length ? everyone(all.length) : `${same.length} of ${all.length} recipients`
  const count = capital(counted[results[worst.status]](some))
  if (worst.severity === "none") return { severity: "none", cause: `${count}.`, fix: worst.fix }
  return { ...explanationOf(worst), cause: `${count}: ${inSentence(worst.cause)}` }
}

function everyone(count: number): string {
  return count === 2 ? "both recipients" : `all ${count} recipients`
}

function explanationOf({ severity, cause, fix, page }: OfRecipient): Explained {
  return { severity, cause, fix, ...(page && { page }) }
}

const rank = ({ severity }: Explained) => severities.indexOf(severity)

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Lower case at the beginning, except for addresses and names. */
function inSentence(cause: string): string {
  return cause.replace(/^(The|This|We|It|Nothing)\b/, (word) => word.toLowerCase())
}
