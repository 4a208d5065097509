import { classify } from "@/lib/delivery/transports/classify"
import type { DeliveryAttempt } from "@/lib/delivery/transports/attempt"
import type { DemoPerson } from "@/lib/demo/people"
import type { Reason } from "@/lib/explanation/codes"
import { idAt, type Seeded } from "@/lib/demo/seeded"
import { invoice, pickTemplate, type Template, urlsOf } from "@/lib/demo/templates"

type Happening = { type: string; at: Date; data: Record<string, string> }

/** The history of one mail to one person, as the product would have recorded it. */
export type Story = {
  id: string
  deliveryId: string
  at: Date
  order: number
  person: DemoPerson
  template: Template
  /** Of one that went to many. */
  broadcastId?: string | undefined
  from: string
  subject: string
  status: string
  attempts: DeliveryAttempt[]
  events: Happening[]
  sentAt?: Date
  deliveredAt?: Date
  endedAt?: Date
  nextTryAt?: Date
  scheduledAt?: Date
  bounce?: { type?: string; code?: string; diagnostic: string }
  reason?: Reason | null
  suppress?: "bounce" | "complaint" | "unsubscribe"
}

export type Cast = { now: Date; senders: Record<Template["sender"], string>; isSuppressed(address: string): boolean }

const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** Longer than three deferrals and their attempts take. */
const deferralsMaxMs = 75 * minuteMs

/** One mail of the past. Nothing in it happens after now. */
export function tell(
  random: Seeded,
  cast: Cast,
  at: Date,
  person: DemoPerson,
  order: number,
  { template, broadcastId }: { template?: Template | undefined; broadcastId?: string | undefined } = {},
): Story {
  const story = { ...begin(random, cast, at, person, order, template), broadcastId }
  if (cast.isSuppressed(person.address)) return held(story)
  story.events.push(happening(story, "queued", at))
  const leftAt = later(at, random.whole(400, 4_000))
  const fate = random.number()
  const canWait = cast.now.getTime() - at.getTime() > deferralsMaxMs
  if (fate < 0.014) bounceAt(story, leftAt, random, "gone")
  else if (fate < 0.019 && canWait) bounceAt(story, deferred(story, leftAt, random, 3), random, "full")
  else if (fate < 0.023) bounceAt(story, leftAt, random, "blocked")
  else if (fate < 0.055 && canWait) arrive(story, deferred(story, leftAt, random, 1), random, cast.now)
  else arrive(story, leftAt, random, cast.now)
  return story
}

/** A mail that still waits for its day. */
export function tellScheduled(random: Seeded, cast: Cast, at: Date, person: DemoPerson, order: number): Story {
  const story = begin(random, cast, at, person, order)
  story.scheduledAt = later(cast.now, random.whole(26, 24 * 9) * hourMs)
  story.status = "scheduled"
  story.events.push(happening(story, "scheduled", at))
  return story
}

/** A mail that the recipient's server has deferred three times. */
export function tellDelayed(random: Seeded, cast: Cast, person: DemoPerson, order: number): Story {
  const story = begin(random, cast, later(cast.now, -random.whole(3, 5) * hourMs), person, order)
  story.events.push(happening(story, "queued", story.at))
  deferred(story, later(story.at, 900), random, 3)
  story.status = "delivery_delayed"
  story.nextTryAt = later(cast.now, random.whole(2, 5) * hourMs)
  return story
}

/** An invoice to a mailbox that does not exist. */
export function tellInvoice(random: Seeded, cast: Cast, at: Date, person: DemoPerson, order: number): Story {
  const story = begin(random, cast, at, person, order, invoice)
  story.events.push(happening(story, "queued", at))
  bounceAt(story, later(at, 900), random, "gone")
  return story
}

function begin(
  random: Seeded,
  cast: Cast,
  at: Date,
  person: DemoPerson,
  order: number,
  template = pickTemplate(random),
): Story {
  const from = template.from.replace("%", cast.senders[template.sender])
  const subject = template.subject(person, order)
  const [id, deliveryId] = [idAt(at, random), idAt(at, random)]
  return { id, deliveryId, at, order, person, template, from, subject, status: "queued", attempts: [], events: [] }
}

function held(story: Story): Story {
  story.events.push(happening(story, "suppressed", story.at))
  return { ...story, status: "suppressed", endedAt: story.at }
}

/** Tries that end with a request for patience. @returns when the next one begins */
function deferred(story: Story, at: Date, random: Seeded, tries: number): Date {
  let next = at
  for (let done = 1; done <= tries; done++) {
    const attempt = tryOnce(story, next, random, "later")
    const { diagnostic, reason } = classify(attempt)
    story.reason = reason
    if (done === 3) story.events.push(happening(story, "delivery_delayed", attempt.endedAt, { diagnostic }))
    next = later(attempt.endedAt, random.whole(4, 12) * done * minuteMs)
  }
  return next
}

function bounceAt(story: Story, at: Date, random: Seeded, trouble: Trouble) {
  const attempt = tryOnce(story, at, random, trouble)
  const { bounceType, bounceCode, diagnostic, reason, suppress } = classify(attempt, "exists")
  const bounce = { ...(bounceType ? { bounceType } : {}), ...(bounceCode ? { bounceCode } : {}), diagnostic }
  story.events.push(happening(story, "bounced", attempt.endedAt, bounce))
  Object.assign(story, { status: "bounced", endedAt: attempt.endedAt, reason })
  story.bounce = { type: bounceType, code: bounceCode, diagnostic }
  if (suppress) story.suppress = "bounce"
}

function arrive(story: Story, at: Date, random: Seeded, now: Date) {
  const { endedAt } = tryOnce(story, at, random)
  story.events.push(happening(story, "sent", endedAt), happening(story, "delivered", endedAt))
  Object.assign(story, { status: "delivered", sentAt: endedAt, deliveredAt: endedAt, endedAt, reason: null })
  for (const { status, ...event } of reactions(story, endedAt, random)) {
    if (event.at > now) return
    story.events.push(event)
    if (status) story.status = status
    if (event.type === "complained") story.suppress = "complaint"
    if (event.type === "unsubscribed") story.suppress = "unsubscribe"
  }
}

/** What people do with a mail, and what machines do before them. */
function* reactions(story: Story, from: Date, random: Seeded): Generator<Happening & { status?: string }> {
  const { opens, clicks, category } = story.template
  if (random.chance(0.14))
    yield happening(story, "opened", later(from, random.whole(1, 40) * 1_000), { machine: "true" })
  if (category === "marketing" && random.chance(0.0016)) {
    return yield {
      ...happening(story, "complained", later(from, random.whole(5, 300) * minuteMs)),
      status: "complained",
    }
  }
  if (!random.chance(opens)) return
  const openedAt = later(from, Math.ceil(random.number() ** 3 * 30 * hourMs) + 20_000)
  yield { ...happening(story, "opened", openedAt), status: "opened" }
  if (random.chance(clicks / opens)) {
    const url = random.pick(urlsOf(story.template, story.order))
    yield { ...happening(story, "clicked", later(openedAt, random.whole(3, 90) * 1_000), { url }), status: "clicked" }
  }
  if (category === "marketing" && random.chance(0.006))
    yield happening(story, "unsubscribed", later(openedAt, random.whole(10, 200) * 1_000))
}

function tryOnce(story: Story, at: Date, random: Seeded, trouble?: Trouble): DeliveryAttempt {
  const from = `b-${story.deliveryId.slice(-12)}@send.${story.from.slice(story.from.lastIndexOf("@") + 1, -1)}`
  const made = attempt({ from, to: story.person.address, at }, random, trouble)
  story.attempts.push(made)
  return made
}

function happening({ person, subject }: Story, type: string, at: Date, data: Record<string, string> = {}): Happening {
  return { type, at, data: { to: person.address, subject, ...data } }
}

function later(at: Date, ms: number): Date {
  return new Date(at.getTime() + ms)
}

type Refusal = Pick<DeliveryAttempt, "outcome" | "phase"> & { code: number; enhanced: string; text: string }

const refused = { outcome: "refused", phase: "rcpt" } as const

/** Replies of real receiving servers. The first kind means that the mailbox does not exist. */
const serverRefusals = {
  gone: [
    {
      ...refused,
      code: 550,
      enhanced: "5.1.1",
      text: "5.1.1 The email account that you tried to reach does not exist. Please try double-checking the recipient's email address for typos.",
    },
    {
      ...refused,
      code: 550,
      enhanced: "5.1.1",
      text: "5.1.1 <recipient>: Recipient address rejected: User unknown in virtual mailbox table",
    },
    {
      ...refused,
      code: 550,
      enhanced: "5.1.10",
      text: "5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup",
    },
    { ...refused, code: 554, enhanced: "5.1.1", text: "5.1.1 Sorry, no mailbox here by that name." },
  ],
  full: [
    {
      ...refused,
      code: 552,
      enhanced: "5.2.2",
      text: "5.2.2 The recipient's inbox is out of storage space and inactive.",
    },
    { ...refused, code: 552, enhanced: "5.2.2", text: "5.2.2 Over quota" },
  ],
  blocked: [
    {
      ...refused,
      phase: "final",
      code: 550,
      enhanced: "5.7.1",
      text: "5.7.1 Our system has detected that this message is likely unsolicited mail. To reduce the amount of spam, this message has been blocked.",
    },
    {
      ...refused,
      phase: "mail",
      code: 554,
      enhanced: "5.7.1",
      text: "5.7.1 Service unavailable; client host [203.0.113.25] blocked by policy",
    },
  ],
  later: [
    {
      outcome: "deferred",
      phase: "rcpt",
      code: 450,
      enhanced: "4.2.0",
      text: "4.2.0 <recipient>: Recipient address rejected: Greylisted, try again in 300 seconds",
    },
    {
      outcome: "deferred",
      phase: "mail",
      code: 421,
      enhanced: "4.7.0",
      text: "4.7.0 Try again later, closing connection.",
    },
    {
      outcome: "deferred",
      phase: "rcpt",
      code: 452,
      enhanced: "4.2.2",
      text: "4.2.2 The recipient's inbox is out of storage space.",
    },
  ],
} satisfies Record<string, readonly Refusal[]>

type Trouble = keyof typeof serverRefusals

/** One attempt as the delivery keeps it, with the conversation behind it. Addresses are those of documentation (RFC 5737). */
function attempt(mail: { from: string; to: string; at: Date }, random: Seeded, trouble?: Trouble): DeliveryAttempt {
  const host = `mx${random.whole(1, 3)}.${mail.to.slice(mail.to.indexOf("@") + 1)}`
  const remote = `${host} 198.51.100.${random.whole(4, 250)}:25`
  const reply = trouble ? random.pick<Refusal>(serverRefusals[trouble]) : accepted(random)
  const text = reply.text.replace("<recipient>", `<${mail.to}>`)
  return {
    outcome: reply.outcome,
    phase: reply.phase,
    code: reply.code,
    enhanced: reply.enhanced,
    text,
    remote,
    tls: "TLSv1.3",
    conversation: conversation(host, mail, reply.phase, `${reply.code} ${text}`),
    startedAt: mail.at,
    endedAt: new Date(mail.at.getTime() + random.whole(180, 2_600)),
  }
}

function accepted(random: Seeded) {
  return {
    outcome: "accepted",
    phase: "final",
    code: 250,
    enhanced: "2.0.0",
    text: `2.0.0 Ok: queued as ${random.hex(10).toUpperCase()}`,
  } as const
}

function conversation(
  host: string,
  { from, to }: { from: string; to: string },
  phase: DeliveryAttempt["phase"],
  answer: string,
): string[] {
  const steps: [DeliveryAttempt["phase"], string, string][] = [
    ["mail", `C: MAIL FROM:<${from}>`, "S: 250 2.1.0 Ok"],
    ["rcpt", `C: RCPT TO:<${to}>`, "S: 250 2.1.5 Ok"],
    ["data", "C: DATA", "S: 354 End data with <CR><LF>.<CR><LF>"],
    ["final", "C: .", `S: ${answer}`],
  ]
  const lines = [
    `S: 220 ${host} ESMTP`,
    "C: EHLO eu-west-1.mailroom.test",
    `S: 250-${host}`,
    "S: 250-PIPELINING",
    "S: 250 STARTTLS",
    "C: STARTTLS",
    "S: 220 2.0.0 Ready to start TLS",
  ]
  for (const [at, command, usual] of steps) {
    lines.push(command, at === phase ? `S: ${answer}` : usual)
    if (at === phase) break
  }
  return lines
}
