import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { addReport, reportedDomain, type ReportedDomain } from "@/lib/domains/dmarc/report-store"
import { UploadedDmarcReports, type FileResult } from "@/lib/domains/dmarc/schema"
import type { AggregateReport } from "@/lib/domains/dmarc/report"
import { ReportRefused } from "@/lib/domains/dmarc/unpack"
import { domainMissing } from "@/lib/domains/problems"
import { readAllApart, type Reading } from "@/lib/platform/documents/read-apart"
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
    const readings = await readReports(scope, files)
    for (const { name, reading } of readings)
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
    const { added, messages } = await addReport(scope, domain, reportFrom(report), now)
    const { reporter, reportId } = report
    return { file, status: added ? "accepted" : "duplicate", reporter, reportId, messages }
  } catch (error) {
    if (error instanceof ReportRefused) return refused(error.message)
    throw error
  }
}

type ReadReport = { chars: number; report: JsonOf<AggregateReport> }

async function readReports(scope: Scope, files: FormFile[]): Promise<{ name: string; reading: Reading<ReadReport> }[]> {
  const whole = files.map(({ bytes }) => bytes).filter((bytes) => bytes !== null)
  const readings = await readAllApart<ReadReport>("dmarc-report", whole, scope.project.id)
  return files.map(({ name, bytes }) => ({
    name,
    reading: (bytes && readings.shift()) || { refused: "The file is larger than 10 MiB." },
  }))
}

function reportFrom(report: JsonOf<AggregateReport>): AggregateReport {
  return { ...report, beganAt: new Date(report.beganAt), endedAt: new Date(report.endedAt) }
}

type JsonOf<T> = { [field in keyof T]: T[field] extends Date ? string : T[field] }
