import type { Tone } from "@/components/ui/pill"
import { failureTitle } from "@/lib/explanation/words"
import type { Attempt, Delivery, Email, EmailEvent } from "@/components/emails/queries"
import { deviceOf } from "@/lib/tracking/hits/device-rules"

export type HappenedStep = {
  id: string
  /** What sorts it among steps of the same millisecond. */
  kind: string
  at: string
  tone: Tone
  title: string
  /** What it was done with, by its own page below the project: "API key Shop backend". */
  link?: { before?: string; words: string; path: string }
  detail?: string
  /** The detail is what a server said, word for word. */
  quoted?: boolean
}

/** What happened to an email, in order: its events, with delivery attempts in place of the events they caused. */
export function stepsOf(email: Email, events: EmailEvent[], deliveries: Delivery[]): HappenedStep[] {
  const several = deliveries.length > 1
  const delivered = new Set(events.filter(({ type }) => type === "delivered").map(({ occurredAt }) => occurredAt))
  const attempts = deliveries.flatMap((delivery) =>
    delivery.attempts.map((attempt) => ofAttempt(delivery, attempt, { several, delivered })),
  )
  const [response = ""] = several ? [] : deliveries.flatMap(acceptedBy)
  const others = events
    .filter((event) => !isShownByAttempt(event, deliveries))
    .map((event) => ofEvent(email, event, several))
    .map((step) => (step.kind === "delivered" && !step.detail ? { ...step, ...deliveredAs(response) } : step))
  return inOrder([...others, ...attempts])
}

export function inOrder(steps: HappenedStep[]): HappenedStep[] {
  return steps.sort((a, b) => a.at.localeCompare(b.at) || placeOf(a.kind) - placeOf(b.kind))
}

/** The order of steps of the same millisecond: an email is accepted before it is sent, and delivered before it is read. */
const places = [
  "queued",
  "scheduled",
  "test",
  "rescheduled",
  "signed",
  "sending",
  "sent",
  "delivered",
  "webhook",
  "opened",
  "read_engaged",
  "clicked",
]

function placeOf(kind: string): number {
  const place = places.indexOf(kind)
  return place < 0 ? places.indexOf("delivered") : place
}

function acceptedBy({ attempts }: Delivery): string[] {
  return attempts.filter(({ outcome, text }) => outcome === "accepted" && text).map(reply)
}

function deliveredAs(response: string): Pick<HappenedStep, "detail" | "quoted"> {
  return response ? { detail: response, quoted: true } : { detail: "accepted by the recipient's server" }
}

type Around = { several: boolean; /** When something was delivered. */ delivered: ReadonlySet<string> }

function ofAttempt(delivery: Delivery, attempt: Attempt, { several, delivered }: Around): HappenedStep {
  const { tone, title } = outcomes[attempt.outcome] ?? { tone: "wait", title: () => "Attempted" }
  const at = delivery.attempts.indexOf(attempt)
  const before = delivery.attempts[at - 1]
  const response = reply(attempt)
  const repeated = response !== "" && before !== undefined && reply(before) === response
  const bounce = at === delivery.attempts.length - 1 ? bounceWords[delivery.bounceType ?? ""] : undefined
  const refusal = attempt.outcome === "refused" && bounce && !response.includes(bounce) ? bounce : ""
  const detail = [
    several ? delivery.address : "",
    attempt.outcome === "accepted" ? `to ${hostOf(attempt.remote)}` : "",
    attempt.outcome === "accepted" ? tlsWords(attempt) : "",
    attempt.outcome === "accepted" ? fromWords(attempt) : "",
    attempt.outcome === "accepted" ? "" : repeated ? "the same response" : response,
    refusal,
  ]
  return {
    id: attempt.id,
    kind: "sent",
    // Where the response was the delivery, handing over is what came before it.
    at: attempt.endedAt && !delivered.has(attempt.endedAt) ? attempt.endedAt : attempt.startedAt,
    tone,
    title: title(attempt),
    detail: joined(detail),
  }
}

/** Facts as one line; a server's reply may end in a full stop of its own. */
function joined(facts: (string | undefined)[]): string {
  return facts
    .flatMap((fact) => fact || [])
    .map((fact, at, all) =>
      all[at - 1]?.endsWith(".") ? ` ${fact.charAt(0).toUpperCase()}${fact.slice(1)}` : at ? `, ${fact}` : fact,
    )
    .join("")
}

type Named = { tone: Tone; title: (attempt: Attempt) => string }

const outcomes: Record<string, Named> = {
  accepted: { tone: "good", title: () => "Handed over" },
  refused: { tone: "bad", title: ({ remote }) => `Refused by ${hostOf(remote)}` },
  deferred: {
    tone: "warn",
    title: ({ phase, attempt, remote }) =>
      phase === "connect" ? `No connection to ${hostOf(remote)}, attempt ${attempt}` : `Deferred, attempt ${attempt}`,
  },
  region_fault: {
    tone: "warn",
    title: ({ phase, attempt, remote }) =>
      phase === "connect"
        ? `No connection to ${hostOf(remote)}, attempt ${attempt}`
        : `The region's server refused us, attempt ${attempt}`,
  },
  ambiguous: { tone: "warn", title: ({ remote }) => `No response from ${hostOf(remote)}` },
}

const bounceWords: Record<string, string> = {
  hard: "hard bounce",
  soft: "soft bounce",
  block: "blocked",
  content: "content refused",
  ours: "sender refused",
}

/** An attempt says the same as these events and more. */
function isShownByAttempt({ type, payload }: EmailEvent, deliveries: Delivery[]): boolean {
  const outcome = { sent: "accepted", bounced: "refused", delivery_delayed: "deferred" }[type]
  if (!outcome || payload?.reason === takenBack) return false
  const concerned = deliveries.filter(({ address }) => deliveries.length === 1 || address === payload?.to)
  return concerned.some(({ attempts }) => attempts.some((attempt) => attempt.outcome === outcome))
}

function ofEvent(email: Email, { id, type, occurredAt, payload = {} }: EmailEvent, several: boolean): HappenedStep {
  const words = payload.reason === takenBack ? takenBackWords : (eventWords[type] ?? { tone: "wait", title: type })
  const { tone: usual, detail } = words
  const title = (type === "failed" && failureTitle(payload.reasonCode)) || words.title
  // What a machine did says nothing about the reader.
  const machine = payload.machine === "true"
  const tone = machine ? "wait" : usual
  const by = readings.has(type) ? (machine ? " by a machine" : " by a person") : ""
  const facts = detail?.(payload, email) ?? ""
  // The first step is about all of them.
  const who = several && !accepted.has(type) && payload.to && !facts.includes(payload.to) ? payload.to : ""
  return { id, kind: type, at: occurredAt, tone, title: title + by, detail: [who, facts].filter(Boolean).join(", ") }
}

const takenBack = "bounce_taken_back"
const takenBackWords: EventWords = {
  tone: "warn",
  title: "Bounce taken back",
  detail: () => "the region's server refuses every email",
}

const readings = new Set(["opened", "clicked"])
const accepted = new Set(["queued", "scheduled", "rescheduled", "test"])

type EventWords = { tone: Tone; title: string; detail?: (payload: Record<string, string>, email: Email) => string }

/** Behind the recipient's address; every other reason is that of the suppression list. */
const whySuppressed: Record<string, string> = {
  topic_opt_out: "is not subscribed to the topic",
  topic_deleted: "does not get it: the topic was deleted",
}

/** Why a mail that came back changes no status. */
const notes: Record<string, string> = {
  about_another_email: "it is about another email",
  about_another_recipient: "it is about another recipient",
  after_open: "it reports a failure, but a person has opened the email",
  after_bounce: "it reports a delivery after the bounce",
  answer: "somebody answered",
  automatic_answer: "it is an automatic answer, such as an out-of-office reply",
  feedback: "a provider's report that is no complaint",
  relayed_on: "a list passed it on",
  unfinished: "the email was still being sent",
  unreadable: "it could not be read",
}

const eventWords: Record<string, EventWords> = {
  queued: { tone: "good", title: "Accepted", detail: () => "Sender verified" },
  scheduled: { tone: "good", title: "Accepted", detail: () => "Scheduled for later" },
  test: { tone: "good", title: "Accepted", detail: () => "As a test: nothing is sent" },
  sending: { tone: "wait", title: "On its way" },
  sent: { tone: "good", title: "Sent" },
  delivered: { tone: "good", title: "Delivered", detail: ({ diagnostic = "" }) => diagnostic },
  delivery_delayed: { tone: "warn", title: "Delayed", detail: ({ diagnostic }) => diagnostic ?? "" },
  bounced: {
    tone: "bad",
    title: "Bounced",
    detail: ({ bounceType = "", diagnostic = "" }) => joined([diagnostic, bounceWords[bounceType]]),
  },
  mail_returned: {
    tone: "wait",
    title: "Mail came back",
    detail: ({ note = "", from = "", diagnostic = "" }) => joined([notes[note] ?? "", from, diagnostic]),
  },
  complained: { tone: "bad", title: "Marked as spam", detail: ({ to = "" }) => to },
  failed: { tone: "bad", title: "Failed", detail: ({ reason, diagnostic }) => joined([reason, diagnostic]) },
  rejected: { tone: "bad", title: "Rejected", detail: ({ diagnostic }, { error }) => diagnostic ?? error ?? "" },
  suppressed: {
    tone: "wait",
    title: "Suppressed",
    detail: ({ to = "The address", reason = "" }) => `${to} ${whySuppressed[reason] ?? "is on the suppression list"}`,
  },
  rescheduled: {
    tone: "wait",
    title: "Rescheduled",
    detail: ({ scheduledAt = "" }) => `to ${minute(scheduledAt)} UTC`,
  },
  cancelled: { tone: "wait", title: "Cancelled" },
  indeterminate: { tone: "warn", title: "Outcome unknown", detail: () => "the server did not respond" },
  opened: { tone: "good", title: "Opened", detail: readerOf },
  clicked: {
    tone: "good",
    title: "Clicked",
    detail: (payload) => [payload.url, readerOf(payload)].filter(Boolean).join(", "),
  },
  read_engaged: {
    tone: "good",
    title: "Read",
    detail: ({ readTimeSeconds }) => (readTimeSeconds === undefined ? "" : `for ${readTimeSeconds} seconds`),
  },
  unsubscribed: { tone: "wait", title: "Unsubscribed", detail: ({ method = "" }) => method },
}

/** Who opened or clicked, as far as the request shows. */
function readerOf({ machine, proxied, userAgent }: Record<string, string>): string {
  const program = userAgent === undefined ? "" : programOf(userAgent)
  if (machine === "true") return program
  return proxied === "true" ? `${program}, through its image proxy` : program
}

function minute(at: string): string {
  return at.slice(0, 16).replace("T", " ")
}

function reply({ code, text = "" }: Attempt): string {
  return code === undefined || text.startsWith(String(code)) ? text : `${code} ${text}`.trim()
}

function hostOf(remote: string | undefined): string {
  // Host name and IP address; the SMTP session shows both.
  return remote?.split(" ")[0] ?? "the next server"
}

/** "TLS 1.3", and what proved whom it leads to. */
export function tlsWords({
  tls,
  tlsLevel = "",
  tlsPolicy = "",
}: Pick<Attempt, "tls" | "tlsLevel" | "tlsPolicy">): string {
  if (!tls) return "without TLS"
  const proof = tlsLevel === "dane" || tlsLevel === "valid" ? policyNames[tlsPolicy] : undefined
  return `${tls.replace(/^TLSv/, "TLS ")}${proof ? ` verified by ${proof}` : ""}`
}

/** Which of our addresses it left from; nothing behind a relay. */
export function fromWords({ source }: Pick<Attempt, "source">): string {
  return source ? `from ${source}` : ""
}

const policyNames: Record<string, string> = { dane: "DANE", "mta-sts": "MTA-STS" }

/** A user agent for people: "Apple Mail on iOS"; as it is where nothing is known. */
function programOf(userAgent: string): string {
  const { mailClient, os } = deviceOf(userAgent)
  if (mailClient === undefined) return userAgent.length > 60 ? `${userAgent.slice(0, 60)}…` : userAgent
  return os === undefined ? mailClient : `${mailClient} on ${os}`
}
