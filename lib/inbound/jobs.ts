import { claimMails, holdMails, rawOf, type ClaimedMail } from "@/lib/inbound/mails-sql"
import { recordLoopTest } from "@/lib/inbound/loop-test"
import { matchOf } from "@/lib/inbound/match"
import { operatorReasonOf } from "@/lib/inbound/operator-mail"
import { claimsMax, recordComplaintMail, recordMail, recordOnly } from "@/lib/inbound/record-sql"
import { recordReport } from "@/lib/inbound/report-mail"
import { runLeased } from "@/lib/platform/jobs/leases"
import { createSlots } from "@/lib/platform/jobs/slots"
import { log } from "@/lib/platform/log"
import { counter } from "@/lib/platform/metrics"
import { readReturnedMail } from "@/lib/returns/read-returned-mail"
import type { ReturnedMail } from "@/lib/returns/returned-mail"
import { recordUnsubscribe } from "@/lib/tracking/data"

/** Claims beyond those of a delivery that is under way: each of them broke. */
const breaksMax = 5
/** Large mails in memory at once. */
const largeAtOnceMax = 2
/** Mails with a report, of which two are read at once while the DNS is asked about others. */
const reportsAtOnceMax = 10

const recorded = counter("mailroom_returned_mails_total", "Returned mails that were read, by what they did.", [
  "outcome",
])
const forOperator = counter("mailroom_operator_mails_total", "Mails that went to the operator's mailbox, by why.", [
  "reason",
])

type Running = { signal: AbortSignal; leaseMs: number }

/** Reads stored mails and records what they do, until the signal aborts. Never rejects. */
export async function runReturnedMail(running: Running): Promise<void> {
  await Promise.all([runBounces(running), runReports(running)])
}

async function runBounces({ signal, leaseMs }: Running): Promise<void> {
  const largeSlots = createSlots(largeAtOnceMax)
  await runLeased<ClaimedMail>({
    name: "returned mail",
    claim: (limit) => claimMails(limit, leaseMs, "others"),
    work: (claimed) => (claimed.raw ? workOn(claimed) : largeSlots(() => workOn(claimed))),
    heartbeat: (rows) => holdMails(rows, leaseMs),
    leaseMs,
    intervalMs: 200,
    concurrency: 200,
    drainMs: 5_000,
    signal,
  })
}

/** Reports have a loop of their own: however many come, a bounce does not wait for them. */
async function runReports({ signal, leaseMs }: Running): Promise<void> {
  await runLeased<ClaimedMail>({
    name: "report mail",
    claim: (limit) => claimMails(limit, leaseMs, "reports"),
    work: (claimed) => workOn(claimed),
    heartbeat: (rows) => holdMails(rows, leaseMs),
    leaseMs,
    intervalMs: 200,
    concurrency: reportsAtOnceMax,
    drainMs: 5_000,
    signal,
  })
}

/** Reads one mail and records what it does. */
export async function workOn(claimed: ClaimedMail): Promise<void> {
  const isBroken = claimed.attempt > claimsMax + breaksMax
  const raw = isBroken ? null : await rawOf(claimed)
  const mail = raw && readReturnedMail(raw, claimed)
  const outcome = mail ? await outcomeOf({ ...claimed, raw }, mail) : await giveUp(claimed)
  if (outcome === null) return
  recorded.inc({ outcome })
  const reason = operatorReasonOf({ door: claimed.door, kind: mail?.kind ?? null, outcome })
  if (reason !== null) forOperator.inc({ reason })
}

function giveUp(claimed: ClaimedMail): Promise<string> {
  log.error({ inboundMessageId: claimed.id }, "a returned mail could not be worked on and is given up")
  return recordOnly(claimed, null, "given_up")
}

async function outcomeOf(claimed: ClaimedMail, mail: ReturnedMail): Promise<string | null> {
  const { door, deliveryId } = claimed
  if (door === "reports") return recordReport(claimed, mail)
  if (door === "setup") return recordOnly(claimed, mail, await recordLoopTest(claimed, mail))
  if (mail.kind === "automatic_answer") return recordOnly(claimed, mail, "dropped")
  const match = await matchOf(mail, deliveryId)
  if (!match) return recordOnly(claimed, mail, "kept")
  if (isComplaint(mail)) return recordComplaintMail({ claimed, mail, match })
  if (asksToLeave(mail)) {
    // Once per delivery, however often it is asked.
    await recordUnsubscribe(match.deliveryId, "email")
    return recordOnly(claimed, mail, "unsubscribed", match)
  }
  return recordMail({ claimed, mail, match })
}

function isComplaint(mail: ReturnedMail): boolean {
  return mail.kind === "feedback" && (mail.feedbackType === "abuse" || mail.feedbackType === "fraud")
}

function asksToLeave(mail: ReturnedMail): boolean {
  return mail.kind === "unsubscribe" || (mail.kind === "feedback" && mail.feedbackType === "opt_out")
}
