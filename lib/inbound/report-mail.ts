import { addReport } from "@/lib/domains/dmarc/data"
import { readReports, readTlsReports, type ReportedDomain } from "@/lib/domains/reports"
import { ReportRefused, reportFaults } from "@/lib/domains/dmarc/unpack"
import type { ReportSender } from "@/lib/domains/report-sender"
import { registrationsOf } from "@/lib/domains/data"
import { addTlsReport } from "@/lib/domains/tls-reports/data"
import { rawOf, type ClaimedMail } from "@/lib/inbound/mails-sql"
import { reportTokenOf } from "@/lib/inbound/recipients"
import { recordReportMail } from "@/lib/inbound/record-sql"
import type { MailFault } from "@/lib/inbound/report-schema"
import type { InProject } from "@/lib/platform/database/scoped-db"
import { env } from "@/lib/platform/env/env"
import type { Reading } from "@/lib/platform/documents/read-apart"
import { createFairSlots } from "@/lib/platform/jobs/slots"
import { counter } from "@/lib/platform/metrics"
import { mimePartsOf } from "@/lib/platform/mime/mime-parts"
import { cutText } from "@/lib/platform/text"
import { regionSettings } from "@/lib/regions/settings"
import type { AttachedReport, ReturnedMail } from "@/lib/returns/returned-mail"
import { judgeMessage } from "@/lib/sandbox/judge"
import { receiverResolver, type ResolveRecords } from "@/lib/sandbox/resolver"

const refusedReports = counter("mailroom_refused_reports_total", "Report mails that were refused, by why.", ["reason"])

/** Places to read in, one for each address: the processes that read wait for nobody longer than some seconds. */
const places = createFairSlots(2, 1)

let resolver: ResolveRecords | undefined

/** What became of a report mail: its report was stored, or was known, or cannot be taken. */
type Result = { outcome: "reported" | "repeated" } | { outcome: "refused"; reason: MailFault }

/**
 * Stores the report that a mail carries for each registration that the address is for, and records what was done. Done twice it
 * stores nothing twice. Answers the outcome.
 */
export async function recordReport(
  claimed: ClaimedMail,
  mail: ReturnedMail,
  { resolve = (resolver ??= receiverResolver({ ...env(), ...regionSettings() })), now = new Date() } = {},
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

/** Each costs a question to the DNS and a check of the signature; mail has two or three. */
const signaturesMax = 10

/** What the mail proves of its sender; it takes as long as the DNS, but at most some seconds. */
async function senderOf(claimed: ClaimedMail, { from }: ReturnedMail, resolve: ResolveRecords): Promise<ReportSender> {
  const { mailFrom, client, helo } = claimed
  const raw = await rawOf(claimed)
  const address = cutText(from ?? mailFrom, addressCharsMax)
  if (signaturesIn(raw) > signaturesMax)
    return { address, client, dkim: "permerror", spf: "permerror", dmarc: "permerror" }
  const { dkim, spf, dmarc } = await judgeMessage({ raw, mailFrom, ip: client, helo }, resolve)
  return { address, client, dkim: dkim.result, spf: spf.result, dmarc: dmarc.result }
}

const addressCharsMax = 320

function signaturesIn(raw: Buffer): number {
  return mimePartsOf(raw).header.all("dkim-signature").length
}
