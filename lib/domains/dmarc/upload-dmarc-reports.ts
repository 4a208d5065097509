import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { addReport, reportedDomain, type ReportedDomain } from "@/lib/domains/dmarc/report-store"
import { UploadedDmarcReports, type FileResult } from "@/lib/domains/dmarc/schema"
import type { AggregateReport } from "@/lib/domains/dmarc/report"
import { ReportRefused } from "@/lib/domains/dmarc/unpack"
import { domainMissing } from "@/lib/domains/problems"
import { DocumentRefused, readApart } from "@/lib/platform/documents/read-apart"
import { endpoint, requestOf } from "@/lib/platform/http/endpoint"
import { readFiles, type FormFile } from "@/lib/platform/http/multipart"
import { requestInvalid } from "@/lib/platform/http/problems"
import type { Scope } from "@/lib/platform/http/scope"

const filesMax = 100
const fileBytesMax = 10 * 2 ** 20
const bodyBytesMax = 32 * 2 ** 20
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
  path: { domainId: { prefix: "dom", missing: domainMissing } },
  bodyStream: "multipart/form-data",
  bodyBytesMax,
  answers: [200, UploadedDmarcReports],
  problems: [requestInvalid, projectMissing, domainMissing],
  additive: true,

  async run(scope, input, io) {
    const domain = await reportedDomain(scope, input.path.domainId)
    if (!domain) throw domainMissing()
    const files = await readFiles(requestOf(input), { field: "files", filesMax, fileBytesMax, bytesMax: bodyBytesMax })
    const results: FileResult[] = []
    const room = { chars: unpackedMax }
    for (const file of files) results.push(await takeFile(scope, { domain, file, room, now: io.clock.now() }))
    const count = (status: FileResult["status"]) => results.filter((result) => result.status === status).length
    return { accepted: count("accepted"), duplicates: count("duplicate"), refused: count("refused"), results }
  },
})

type Given = {
  domain: ReportedDomain
  file: FormFile
  /** What the reports of this form may still unpack to. */
  room: { chars: number }
  now: Date
}

async function takeFile(scope: Scope, { domain, file: { name: file, bytes }, room, now }: Given): Promise<FileResult> {
  try {
    if (!bytes) throw new ReportRefused("The file is larger than 10 MiB.")
    const { chars, report } = await readReport(scope, bytes)
    if (chars > room.chars) throw new ReportRefused("The reports before it were large. Upload this one by itself.")
    room.chars -= chars
    const { added, messages } = await addReport(scope, domain, report, now)
    const { reporter, reportId } = report
    return { file, status: added ? "accepted" : "duplicate", reporter, reportId, messages }
  } catch (error) {
    if (error instanceof ReportRefused || error instanceof DocumentRefused)
      return { file, status: "refused", reason: error.message }
    throw error
  }
}

async function readReport(scope: Scope, bytes: Uint8Array): Promise<{ chars: number; report: AggregateReport }> {
  const { chars, report } = await readApart<{ chars: number; report: JsonOf<AggregateReport> }>(
    "dmarc-report",
    bytes,
    scope.project.id,
  )
  return { chars, report: { ...report, beganAt: new Date(report.beganAt), endedAt: new Date(report.endedAt) } }
}

type JsonOf<T> = { [field in keyof T]: T[field] extends Date ? string : T[field] }
