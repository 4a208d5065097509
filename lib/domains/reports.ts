import type { AggregateReport } from "@/lib/domains/dmarc/parse"
import type { Sender } from "@/lib/domains/dmarc/rules"
import { idLabel } from "@/lib/domains/records/records"
import type { TlsReport } from "@/lib/domains/tls-reports/tls-report"
import { type JsonOf, readAllApart, type Reading } from "@/lib/platform/documents/read-apart"
import { readFiles } from "@/lib/platform/http/uploads"

// What DMARC and TLS reports have in common.

/** A registration as reports about its domain need it. */
export type ReportedDomain = Sender & { id: string }

export function reportedOf(row: { id: string; name: string; mailFromDomain: string }): ReportedDomain {
  const label = `mr${idLabel(row.id)}`
  return {
    id: row.id,
    domain: row.name,
    mailFromDomain: row.mailFromDomain,
    selectors: [`${label}a`, `${label}b`],
  }
}

// Uploads

/** Limits of a form with reports, DMARC or TLS. */
export const formFilesMax = 100
export const fileBytesMax = 10 * 2 ** 20
export const formBytesMax = 32 * 2 ** 20

/** The files of a form with what `read` makes of them, in their order. */
export async function readReportForm<T>(
  request: Parameters<typeof readFiles>[0],
  read: (files: Uint8Array[]) => Promise<Reading<T>[]>,
): Promise<{ name: string; reading: Reading<T> }[]> {
  const files = await readFiles(request, {
    field: "files",
    filesMax: formFilesMax,
    fileBytesMax,
    bytesMax: formBytesMax,
  })
  const readings = await read(files.map(({ bytes }) => bytes).filter((bytes) => bytes !== null))
  return files.map(({ name, bytes }) => ({
    name,
    reading: (bytes && readings.shift()) || { refused: "The file is larger than 10 MiB." },
  }))
}

// Reading, apart from this process

/** A report, and how many characters it had once unpacked. */
export type ReadReport = { chars: number; report: AggregateReport }

/** Reads files that hold a report each, packed or not, in their order. An owner has one place to read in. */
export async function readReports(files: readonly Uint8Array[], owner: string): Promise<Reading<ReadReport>[]> {
  const readings = await readAllApart<{ chars: number; report: JsonOf<AggregateReport> }>("dmarc-report", files, owner)
  return readings.map((reading) => {
    if ("refused" in reading) return reading
    const { chars, report } = reading.value
    return {
      value: { chars, report: { ...report, beganAt: new Date(report.beganAt), endedAt: new Date(report.endedAt) } },
    }
  })
}

/** Reads files that hold a report each, packed or not, in their order. An owner has one place to read in. */
export async function readTlsReports(files: readonly Uint8Array[], owner: string): Promise<Reading<TlsReport>[]> {
  const readings = await readAllApart<JsonOf<TlsReport>>("tls-report", files, owner)
  return readings.map((reading) => {
    if ("refused" in reading) return reading
    const { beganAt, endedAt, ...report } = reading.value
    return { value: { ...report, beganAt: new Date(beganAt), endedAt: new Date(endedAt) } }
  })
}
