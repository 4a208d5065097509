import { addAudit } from "@/lib/access/audit/data"
import { buckets } from "@/lib/access/limits/data"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { reportedDomain } from "@/lib/domains/dmarc/data"
import { ReportRefused } from "@/lib/domains/dmarc/unpack"
import { domainMissing } from "@/lib/domains/schema"
import { fileBytesMax, formBytesMax, formFilesMax, readReportForm, readTlsReports } from "@/lib/domains/reports"
import { addTlsReport, findTlsReports, tlsSummary } from "@/lib/domains/tls-reports/data"
import { TlsReportPage, TlsSummary, UploadedTlsReports, type TlsFileResult } from "@/lib/domains/tls-reports/schema"
import { cursorPage, cursorMissing } from "@/lib/platform/http/cursors"
import { endpoint, requestOf } from "@/lib/platform/http/endpoint"
import { cursorQuery } from "@/lib/platform/http/paging"
import { requestInvalid } from "@/lib/platform/http/problems"
import { encodeId } from "@/lib/platform/ids"

const shared = {
  tag: "Sending domains",
  bucket: buckets.domains,
  path: { domainId: { prefix: "dom", missing: domainMissing } },
  additive: true,
} as const

export const getTlsSummary = endpoint({
  ...shared,
  route: "GET /v1/projects/{projectId}/domains/{domainId}/tls-reports/summary",
  operationId: "getTlsSummary",
  summary: "Get TLS summary",
  description:
    "What senders of mail reported about TLS to the domain's mail servers in the last 30 days (RFC 8460): how many sessions were encrypted as the domain's policy demands, and why and at which server the others failed.",
  access: allow("domains:read"),
  answers: [200, TlsSummary],
  problems: [projectMissing, domainMissing],

  async run(scope, { path: { domainId } }) {
    const domain = await reportedDomain(scope, domainId)
    if (!domain) throw domainMissing()
    return tlsSummary(scope, domain)
  },
})

export const listTlsReports = endpoint({
  ...shared,
  route: "GET /v1/projects/{projectId}/domains/{domainId}/tls-reports",
  operationId: "listTlsReports",
  summary: "List TLS reports",
  description: "Reports about TLS to the domain's mail servers that came by mail or were uploaded, the last one first.",
  access: allow("domains:read"),
  query: cursorQuery(),
  answers: [200, TlsReportPage],
  problems: [projectMissing, domainMissing, cursorMissing],

  async run(scope, { path: { domainId }, query }) {
    if (!(await reportedDomain(scope, domainId))) throw domainMissing()
    const collection = `${scope.project.id}|tls|${domainId}`
    return cursorPage(
      collection,
      query,
      (report) => report.id,
      (position, size) => findTlsReports(scope, domainId, position, size),
    )
  },
})

export const uploadTlsReports = endpoint({
  ...shared,
  route: "POST /v1/projects/{projectId}/domains/{domainId}/tls-reports",
  operationId: "uploadTlsReports",
  summary: "Upload TLS reports",
  description: `Up to ${formFilesMax} reports (RFC 8460) in form fields named \`files\`: JSON, gzip, ZIP with one file, or the email that carried the report. A file has at most ${fileBytesMax / 2 ** 20} MiB, the form ${formBytesMax / 2 ** 20} MiB, and a report at most 10 MB unpacked. Each file has its own result: a report with the same reporter and id is a duplicate, and a report that says nothing of this domain is refused. Reports are kept for 400 days.`,
  access: allow("domains:write"),
  bodyStream: "multipart/form-data",
  bodyBytesMax: formBytesMax,
  answers: [200, UploadedTlsReports],
  problems: [requestInvalid, projectMissing, domainMissing],

  async run(scope, input, io) {
    const domain = await reportedDomain(scope, input.path.domainId)
    if (!domain) throw domainMissing()
    const files = await readReportForm(requestOf(input), (whole) => readTlsReports(whole, scope.organization.id))
    const results: TlsFileResult[] = []
    for (const { name: file, reading } of files) {
      try {
        if ("refused" in reading) throw new ReportRefused(reading.refused)
        const { reporter, reportId } = reading.value
        const { added, ...counts } = await addTlsReport(scope, domain, reading.value, { now: io.clock.now() })
        results.push({ file, status: added ? "accepted" : "duplicate", reporter, reportId, ...counts })
      } catch (error) {
        if (!(error instanceof ReportRefused)) throw error
        results.push({ file, status: "refused", reason: error.message })
      }
    }
    const count = (status: TlsFileResult["status"]) => results.filter((result) => result.status === status).length
    const counts = { accepted: count("accepted"), duplicates: count("duplicate"), refused: count("refused") }
    const target = encodeId("dom", domain.id)
    const changes = { kind: "TLS", ...counts }
    await addAudit(scope, { action: "domain.reports_uploaded", target, name: domain.domain, changes })
    return { ...counts, results }
  },
})

export const tlsReportOperations = [getTlsSummary, listTlsReports, uploadTlsReports] as const
