import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { addReport, reportedDomain } from "@/lib/domains/dmarc/report-store"
import { UploadedDmarcReports, type FileResult } from "@/lib/domains/dmarc/schema"
import { readReports, type ReadReport } from "@/lib/domains/dmarc/read-reports"
import { ReportRefused } from "@/lib/domains/dmarc/unpack"
import type { ReportedDomain } from "@/lib/domains/reported-domain"
import { formBytesMax, readReportForm } from "@/lib/domains/report-form"
import { domainMissing } from "@/lib/domains/problems"
import type { Reading } from "@/lib/platform/documents/read-apart"
import { endpoint, requestOf } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"
import type { Scope } from "@/lib/platform/http/scope"

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
  bodyBytesMax: formBytesMax,
  answers: [200, UploadedDmarcReports],
  problems: [requestInvalid, projectMissing, domainMissing],
  additive: true,

  async run(scope, input, io) {
    const domain = await reportedDomain(scope, input.path.domainId)
    if (!domain) throw domainMissing()
    const results: FileResult[] = []
    const room = { chars: unpackedMax }
    const files = await readReportForm(requestOf(input), (whole) => readReports(whole, scope.project.id))
    for (const { name, reading } of files)
      results.push(await takeReport(scope, { domain, file: name, reading, room, now: io.clock.now() }))
    const count = (status: FileResult["status"]) => results.filter((result) => result.status === status).length
    return { accepted: count("accepted"), duplicates: count("duplicate"), refused: count("refused"), results }
  },
})

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
