import { registrationsOf } from "@/lib/domains/data"
import { addReport } from "@/lib/domains/dmarc/data"
import { reportFaults, ReportRefused } from "@/lib/domains/dmarc/unpack"
import type { ReportSender } from "@/lib/domains/dmarc/schema"
import { readReports, readTlsReports, type ReportedDomain } from "@/lib/domains/reports"
import { addTlsReport } from "@/lib/domains/tls-reports/data"
import { judgeArrival, reportTokenOf } from "@/lib/inbound/arrival"
import { recordLoopTest } from "@/lib/inbound/loop-test"
import { type ClaimedMail, claimMails, holdMails, moveToRoute, rawOf } from "@/lib/inbound/mails-sql"
import { matchOf } from "@/lib/inbound/effect"
import { operatorReasonOf } from "@/lib/inbound/operator-mail"
import { claimsMax, recordComplaintMail, recordMail, recordOnly, recordReportMail } from "@/lib/inbound/record-sql"
import type { MailFault } from "@/lib/inbound/report-schema"
import { catchAllOf } from "@/lib/inbound/route-store"
import type { InProject } from "@/lib/platform/database/scoped-db"
import type { Reading } from "@/lib/platform/documents/read-apart"
import { announceWork } from "@/lib/platform/jobs/notifications"
import { runLeased } from "@/lib/platform/jobs/leases"
import { createFairSlots, createSlots } from "@/lib/platform/jobs/slots"
import { log } from "@/lib/platform/log"
import { counter } from "@/lib/platform/metrics"
import { cutText } from "@/lib/platform/format"
import { readReturnedMail } from "@/lib/returns/read-returned-mail"
import type { AttachedReport, ReturnedMail } from "@/lib/returns/returned-mail"
import { receivingDns } from "@/lib/sandbox/judge"
import type { ResolveRecords } from "@/lib/sandbox/verdicts"
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

/** A person's answer to a return path goes to the project's route for all mail, if it has one. */
async function routeAnswer({ projectId, ...claimed }: ClaimedMail): Promise<boolean> {
  const route = projectId === null ? null : await catchAllOf(projectId)
  if (route === null || !(await moveToRoute(claimed, route))) return false
  announceWork()
  return true
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
  if (door === "return_path" && mail.kind === "personal" && (await routeAnswer(claimed))) return "routed"
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

// Mail with reports

const refusedReports = counter("mailroom_refused_reports_total", "Report mails that were refused, by why.", ["reason"])

/** Places to read in, one for each address: the processes that read wait for nobody longer than some seconds. */
const places = createFairSlots(2, 1)

/** What became of a report mail: its report was stored, or was known, or cannot be taken. */
type Result = { outcome: "reported" | "repeated" } | { outcome: "refused"; reason: MailFault }

/**
 * Stores the report that a mail carries for each registration that the address is for, and records what was done. Done twice it
 * stores nothing twice. Answers the outcome.
 */
export async function recordReport(
  claimed: ClaimedMail,
  mail: ReturnedMail,
  { resolve = receivingDns(), now = new Date() } = {},
): Promise<string> {
  const sender = await senderOf(claimed, mail, resolve)
  const result = await take(claimed, mail, { sender, now })
  await recordReportMail(claimed, mail, { ...result, sender })
  if (result.outcome === "refused") refusedReports.inc({ reason: result.reason })
  return result.outcome
}

type Arrival = { sender: ReportSender; now: Date }

async function take({ rcptTo }: ClaimedMail, mail: ReturnedMail, arrival: Arrival): Promise<Result> {
  if (mail.kind !== "report") return refused(mail.kind === "unreadable" ? reasonOf(mail.reason) : "no_report")
  const token = reportTokenOf(rcptTo)
  const registrations = token ? await registrationsOf(token) : []
  if (registrations.length === 0) return refused("no_registration")
  try {
    const isNew = await places(rcptTo, () => store(mail, registrations, { ...arrival, owner: rcptTo }))
    return { outcome: isNew ? "reported" : "repeated" }
  } catch (error) {
    if (error instanceof ReportRefused) return refused(error.fault)
    throw error
  }
}

/** False if each registration has it already. @throws ReportRefused */
async function store(
  { reportKind, document }: AttachedReport,
  registrations: Registration[],
  { owner, ...arrival }: Arrival & { owner: string },
): Promise<boolean> {
  if (reportKind === "tls") {
    const report = valueOf(await readTlsReports([document], owner))
    return anyNew(registrations, (scope, domain) => addTlsReport(scope, domain, report, arrival))
  }
  const { report } = valueOf(await readReports([document], owner))
  return anyNew(registrations, (scope, domain) => addReport(scope, domain, report, arrival))
}

type Registration = Awaited<ReturnType<typeof registrationsOf>>[number]

async function anyNew(
  registrations: Registration[],
  add: (scope: InProject, domain: ReportedDomain) => Promise<{ added: boolean }>,
): Promise<boolean> {
  let isNew = false
  for (const { projectId, ...domain } of registrations) {
    const { added } = await add({ project: { id: projectId } }, domain)
    isNew ||= added
  }
  return isNew
}

function valueOf<T>([reading]: Reading<T>[]): T {
  if (reading && "value" in reading) return reading.value
  const fault = reportFaults.find((known) => known === reading?.fault)
  throw new ReportRefused(reading?.refused ?? "", fault)
}

function refused(reason: MailFault): Result {
  return { outcome: "refused", reason }
}

function reasonOf(reason: string): MailFault {
  return reason === "several_reports" ? reason : "no_report"
}

/** What the mail proves of its sender; it takes as long as the DNS, but at most some seconds. */
async function senderOf(claimed: ClaimedMail, { from }: ReturnedMail, resolve: ResolveRecords): Promise<ReportSender> {
  const { mailFrom, rcptTo, client, helo } = claimed
  const raw = await rawOf(claimed)
  const address = cutText(from ?? mailFrom, addressCharsMax)
  const { dkim, spf, dmarc } = await judgeArrival({ raw, mailFrom, ip: client, helo, owner: rcptTo }, resolve)
  return { address, client, dkim, spf, dmarc }
}

const addressCharsMax = 320
