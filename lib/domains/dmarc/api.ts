import { addAudit } from "@/lib/access/audit/data"
import { buckets } from "@/lib/access/limits/data"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import {
  addReport,
  dayText,
  dmarcStandings,
  firstDay,
  listReports,
  reportedDomain,
  reportedSince,
  reportSources,
} from "@/lib/domains/dmarc/data"
import { tightening } from "@/lib/domains/dmarc/rules"
import { DmarcReportPage, DmarcSummary, type FileResult, UploadedDmarcReports } from "@/lib/domains/dmarc/schema"
import { ReportRefused } from "@/lib/domains/dmarc/unpack"
import { formBytesMax, type ReadReport, readReportForm, readReports, type ReportedDomain } from "@/lib/domains/reports"
import { domainMissing } from "@/lib/domains/schema"
import type { Reading } from "@/lib/platform/documents/read-apart"
import { cursorPage, cursorMissing } from "@/lib/platform/http/cursors"
import { endpoint, requestOf } from "@/lib/platform/http/endpoint"
import { cursorQuery } from "@/lib/platform/http/paging"
import { requestInvalid } from "@/lib/platform/http/problems"
import type { Scope } from "@/lib/platform/http/scope"
import { encodeId } from "@/lib/platform/ids"

const domainPath = { domainId: { prefix: "dom", missing: domainMissing } } as const

export const getDmarcSummary = endpoint({
  route: "GET /v1/projects/{projectId}/domains/{domainId}/dmarc/summary",
  operationId: "getDmarcSummary",
  tag: "Sending domains",
  summary: "Get DMARC summary",
  description:
    "What receivers reported about the domain's email in the last 30 days: how many messages passed DMARC, which sources they came from, what receivers did with them, and whether a stricter policy is safe. A stricter policy is safe once reports cover 30 days and at least 98 % of the messages passed.",
  access: allow("domains:read"),
  bucket: buckets.domains,
  path: domainPath,
  answers: [200, DmarcSummary],
  problems: [projectMissing, domainMissing],
  additive: true,

  async run(scope, { path: { domainId } }) {
    const from = await firstDay()
    const [domain, [standing], sources, unknown, { days: timeline, dispositions }] = await Promise.all([
      reportedDomain(scope, domainId),
      dmarcStandings(scope, domainId),
      reportSources(scope, domainId),
      reportSources(scope, domainId, "unknown"),
      reportedSince(scope, domainId, from),
    ])
    if (!domain) throw domainMissing()
    const judgedAs = (wanted: string) => dispositions.get(wanted) ?? 0
    const { days = 0, observed = 0, aligned = 0, policy } = standing ?? {}
    return {
      domain: domain.domain,
      from: dayText(from),
      days,
      reports: timeline.reduce((sum, { reports }) => sum + reports, 0),
      messages: observed,
      aligned,
      alignedRate: observed === 0 ? 0 : aligned / observed,
      dispositions: { none: judgedAs("none"), quarantine: judgedAs("quarantine"), reject: judgedAs("reject") },
      sources,
      unknownSources: standing?.unknownSources ?? 0,
      unknownMessages: standing?.unknownMessages ?? 0,
      timeline: timeline.map(({ day, messages, aligned: passed }) => ({ day, messages, aligned: passed })),
      policy,
      tightening:
        policy && tightening(policy, { days, observed, aligned, unknownNames: unknown.map(({ name }) => name) }),
    }
  },
})

export const listDmarcReports = endpoint({
  route: "GET /v1/projects/{projectId}/domains/{domainId}/dmarc/reports",
  operationId: "listDmarcReports",
  tag: "Sending domains",
  summary: "List DMARC reports",
  description: "Aggregate reports about the domain that came by mail or were uploaded, the last one first.",
  access: allow("domains:read"),
  bucket: buckets.domains,
  path: domainPath,
  query: cursorQuery(),
  answers: [200, DmarcReportPage],
  problems: [projectMissing, domainMissing, cursorMissing],
  additive: true,

  async run(scope, { path: { domainId }, query }) {
    if (!(await reportedDomain(scope, domainId))) throw domainMissing()
    const collection = `${scope.project.id}|dmarc|${domainId}`
    return cursorPage(
      collection,
      query,
      (report) => report.id,
      (position, size) => listReports(scope, domainId, position, size),
    )
  },
})

/** Characters of all reports of one form: reading 10 MB takes a processor some seconds. */
const unpackedMax = 30_000_000

export const uploadDmarcReports = endpoint({
  route: "POST /v1/projects/{projectId}/domains/{domainId}/dmarc/reports",
  operationId: "uploadDmarcReports",
  tag: "Sending domains",
  summary: "Upload DMARC reports",
  description:
    "Up to 100 aggregate reports (RFC 7489 or RFC 9990) in form fields named `files`: XML, gzip, ZIP with one file, or the email that carried the report. A file has at most 10 MiB, the form 32 MiB, and a report at most 10 MB unpacked. Each file has its own result: a report with the same reporter and id is a duplicate, and a report without messages from this domain is refused. Reports are kept for 400 days.",
  access: allow("domains:write"),
  bucket: buckets.domains,
  path: domainPath,
  bodyStream: "multipart/form-data",
  bodyBytesMax: formBytesMax,
  answers: [200, UploadedDmarcReports],
  problems: [requestInvalid, projectMissing, domainMissing],
  additive: true,

  async run(scope, input, io) {
    const domain = await reportedDomain(scope, input.path.domainId)
    if (!domain) throw domainMissing()
    const results: FileResult[] = []
    const room = { chars: unpackedMax }
    const files = await readReportForm(requestOf(input), (whole) => readReports(whole, scope.organization.id))
    for (const { name, reading } of files)
      results.push(await takeReport(scope, { domain, file: name, reading, room, now: io.clock.now() }))
    const count = (status: FileResult["status"]) => results.filter((result) => result.status === status).length
    const counts = { accepted: count("accepted"), duplicates: count("duplicate"), refused: count("refused") }
    const target = encodeId("dom", domain.id)
    const changes = { kind: "DMARC", ...counts }
    await addAudit(scope, { action: "domain.reports_uploaded", target, name: domain.domain, changes })
    return { ...counts, results }
  },
})

export const dmarcOperations = [getDmarcSummary, listDmarcReports, uploadDmarcReports] as const

type Given = {
  domain: ReportedDomain
  /** Its name. */
  file: string
  reading: Reading<ReadReport>
  /** What the reports of this form may still unpack to. */
  room: { chars: number }
  now: Date
}

async function takeReport(scope: Scope, { domain, file, reading, room, now }: Given): Promise<FileResult> {
  const refused = (reason: string): FileResult => ({ file, status: "refused", reason })
  if ("refused" in reading) return refused(reading.refused)
  const { chars, report } = reading.value
  if (chars > room.chars) return refused("The reports before it were large. Upload this one by itself.")
  room.chars -= chars
  try {
    const { added, messages } = await addReport(scope, domain, report, { now })
    const { reporter, reportId } = report
    return { file, status: added ? "accepted" : "duplicate", reporter, reportId, messages }
  } catch (error) {
    if (error instanceof ReportRefused) return refused(error.message)
    throw error
  }
}
