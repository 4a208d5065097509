import type { TlsReport } from "@/lib/domains/tls-reports/tls-report"
import { readAllApart, type JsonOf, type Reading } from "@/lib/platform/documents/read-apart"

/** Reads files that hold a report each, packed or not, in their order. An owner has one place to read in. */
export async function readTlsReports(files: readonly Uint8Array[], owner: string): Promise<Reading<TlsReport>[]> {
  const readings = await readAllApart<JsonOf<TlsReport>>("tls-report", files, owner)
  return readings.map((reading) => {
    if ("refused" in reading) return reading
    const { beganAt, endedAt, ...report } = reading.value
    return { value: { ...report, beganAt: new Date(beganAt), endedAt: new Date(endedAt) } }
  })
}
