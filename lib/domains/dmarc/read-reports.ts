import type { AggregateReport } from "@/lib/domains/dmarc/report"
import { readAllApart, type JsonOf, type Reading } from "@/lib/platform/documents/read-apart"

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
