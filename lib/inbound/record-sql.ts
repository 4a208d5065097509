import type pg from "pg"
import {
  lockReturned,
  recordComplaint,
  recordReturned,
  type ReturnedDelivery,
  returnedOutcome,
} from "@/lib/delivery/queue/feedback/data"
import type { ClaimOutcome } from "@/lib/delivery/queue/outcome"
import { isSimulated } from "@/lib/emails/simulator"
import { addPastEvents, type PastEvent } from "@/lib/emails/data"
import { effectOf, isUnderWay, type Effect, type Match } from "@/lib/inbound/effect"
import { operatorReasonOf } from "@/lib/inbound/operator-mail"
import { finishMails, lockMails, putOff, type ClaimedMail, type HandledMail } from "@/lib/inbound/mails-sql"
import type { ReportSender } from "@/lib/domains/dmarc/schema"
import { transaction } from "@/lib/platform/database/db"
import { newId } from "@/lib/platform/ids"
import { batchWrites } from "@/lib/platform/jobs/batches"
import type { ReturnedMail } from "@/lib/returns/returned-mail"

// On `pg`, as the statements that these transactions consist of (mails-sql.ts, lib/delivery/queue/feedback/data.ts).

export type ReadMail = { claimed: ClaimedMail; mail: ReturnedMail; match: Match }

/** After so many claims a mail whose delivery is still under way is a timeline entry: some 40 minutes. */
export const claimsMax = 15

/**
 * Records what a mail does to its delivery, together with others, in one transaction: what is no longer held, or was recorded
 * before, changes nothing. Answers the outcome; null if there is none yet.
 */
export const recordMail = batchWrites((mails: ReadMail[]) => transaction((client) => recordMails(client, mails)), {
  max: 100,
  spacingMs: 20,
})

/** In the order of their arrival, whichever was read first. */
export async function recordMails(client: pg.PoolClient, mails: readonly ReadMail[]): Promise<(string | null)[]> {
  const held = await lockMails(
    client,
    mails.map(({ claimed }) => claimed),
  )
  const deliveries = await lockReturned(client, [...new Set(mails.map(({ match }) => match.deliveryId))])
  const known = new Map(deliveries.map((delivery) => [delivery.id, delivery]))
  const finished: HandledMail[] = []
  const early: string[] = []
  const heldMails = mails.filter(({ claimed }) => held.has(claimed.id))
  for (let left = heldMails.toSorted((a, b) => (a.claimed.id < b.claimed.id ? -1 : 1)); left.length > 0;) {
    const [now, later] = firstOfEach(left, ({ match }) => match.deliveryId)
    const outcomes: ClaimOutcome[] = []
    const events: PastEvent[] = []
    for (const { claimed, mail, match } of now) {
      const delivery = known.get(match.deliveryId)
      if (!delivery) {
        finished.push({ ...finishedAs("unknown", claimed, mail), match })
        continue
      }
      const effect = lateEffect(effectOf(mail, delivery, claimed.rcptTo), claimed)
      if (effect.kind === "early") {
        early.push(claimed.id)
        continue
      }
      if (effect.kind === "bounced" || effect.kind === "delivered") outcomes.push(returnedOutcome(delivery, effect))
      if (effect.kind === "delayed" || effect.kind === "noted") events.push(eventOf(delivery, effect, mail))
      known.set(delivery.id, afterwards(delivery, effect))
      finished.push({ ...finishedAs(effect.kind, claimed, mail), match, delivery })
    }
    await recordReturned(client, outcomes)
    await addPastEvents(client, events)
    left = later
  }
  await putOff(client, early)
  await finishMails(client, finished)
  return mails.map(({ claimed }) => finished.find(({ id }) => id === claimed.id)?.outcome ?? null)
}

/** A delivery has one change at a time: what comes later about it meets what the first has done. */
export function firstOfEach<T>(news: readonly T[], deliveryOf: (one: T) => string): [T[], T[]] {
  const met = new Set<string>()
  const [now, later]: [T[], T[]] = [[], []]
  for (const one of news) {
    if (met.has(deliveryOf(one))) later.push(one)
    else now.push(one)
    met.add(deliveryOf(one))
  }
  return [now, later]
}

/** Records the complaint of one recipient. */
export function recordComplaintMail(read: ReadMail): Promise<string | null> {
  return transaction((client) => complain(client, read))
}

async function complain(client: pg.PoolClient, { claimed, mail, match }: ReadMail): Promise<string | null> {
  const held = await lockMails(client, [claimed])
  if (!held.has(claimed.id)) return null
  const [delivery] = await lockReturned(client, [match.deliveryId])
  const isEarly = delivery !== undefined && isUnderWay(delivery)
  if (isEarly && claimed.attempt < claimsMax) {
    await putOff(client, [claimed.id])
    return null
  }
  const isNew = delivery && !isEarly && delivery.status !== "complained" && !delivery.isComplained
  if (isNew) await recordComplaint(client, delivery.id)
  const outcome = !delivery ? "unknown" : isEarly ? "noted" : isNew ? "complained" : "repeated"
  await finishMails(client, [{ ...finishedAs(outcome, claimed, mail), match, delivery }])
  return outcome
}

/** Records a mail that is about no delivery, or whose effect is recorded. */
export async function recordOnly(
  claimed: ClaimedMail,
  mail: ReturnedMail | null,
  outcome: string,
  match?: Match,
): Promise<string> {
  await transaction(async (client) => {
    const held = await lockMails(client, [claimed])
    if (held.has(claimed.id)) await finishMails(client, [{ ...finishedAs(outcome, claimed, mail), match }])
  })
  return outcome
}

/** Records what became of a mail with a report: why it was refused, and what it proves of its sender. */
export async function recordReportMail(
  claimed: ClaimedMail,
  mail: ReturnedMail,
  { outcome, ...result }: { outcome: string; reason?: string; sender: ReportSender },
): Promise<void> {
  await transaction(async (client) => {
    const held = await lockMails(client, [claimed])
    if (!held.has(claimed.id)) return
    const finished = finishedAs(outcome, claimed, mail)
    await finishMails(client, [{ ...finished, reading: { ...finished.reading, ...result } }])
  })
}

function finishedAs(outcome: string, { id, door }: ClaimedMail, mail: ReturnedMail | null): HandledMail {
  return {
    id,
    outcome,
    reading: mail ? readingOf(mail) : {},
    operatorReason: operatorReasonOf({ door, kind: mail?.kind ?? null, outcome }),
  }
}

function lateEffect(effect: Effect, { attempt }: ClaimedMail): Effect {
  return effect.kind === "early" && attempt >= claimsMax ? { kind: "noted", note: "unfinished" } : effect
}

function afterwards(delivery: ReturnedDelivery, effect: Effect): ReturnedDelivery {
  if (effect.kind === "bounced" || effect.kind === "delivered") return { ...delivery, status: effect.kind }
  return effect.kind === "delayed" ? { ...delivery, isDelayed: true } : delivery
}

function eventOf(
  { id: deliveryId, projectId, emailId, address, subject, canonical }: ReturnedDelivery,
  effect: Extract<Effect, { kind: "delayed" | "noted" }>,
  { from, kind }: ReturnedMail,
): PastEvent {
  const details = {
    to: address,
    subject,
    diagnostic: effect.diagnostic,
    ...(effect.kind === "noted" ? { note: effect.note, from: from ?? undefined, mail: kind } : {}),
    simulator: isSimulated(canonical) ? "true" : undefined,
  }
  const data = Object.fromEntries(
    Object.entries(details).filter((entry): entry is [string, string] => Boolean(entry[1])),
  )
  const type = effect.kind === "delayed" ? "delivery_delayed" : "mail_returned"
  return { id: newId(), projectId, emailId, deliveryId, type, data, occurredAt: null }
}

/** What was read, as it is kept beside the mail. */
function readingOf(mail: ReturnedMail): Record<string, unknown> {
  const { kind, from, subject, autoSubmitted } = mail
  const common = { kind, from, subject, autoSubmitted }
  if (mail.kind === "delivery_status") {
    const { form, reportingMta, recipients } = mail
    return {
      ...common,
      form,
      reportingMta,
      recipients: recipients.slice(0, recipientsKept),
      recipientCount: recipients.length,
    }
  }
  if (mail.kind === "feedback") {
    const { form, feedbackType, userAgent, sourceIp, originalRecipients } = mail
    return { ...common, form, feedbackType, userAgent, sourceIp, originalRecipients }
  }
  if (mail.kind === "report") return { ...common, reportKind: mail.reportKind }
  return mail.kind === "unreadable" ? { ...common, reason: mail.reason } : common
}

const recipientsKept = 5
