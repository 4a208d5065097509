import type { Finding } from "@/lib/domains/check/findings"
import type { WatchedRecord } from "@/lib/domains/records/records"
import { nextRecord, type ComponentStatus } from "@/lib/domains/rules"

export type BimiSettings = { logoUrl: string | null; vmcUrl: string | null }

/** Failed is what was found and is not the record; what is not found yet is waited for. */
export function bimiStatus(records: WatchedRecord[]): ComponentStatus {
  const record = records.find(({ key }) => key === "bimi")
  if (!record) return "not_configured"
  if (record.status === "verified") return "verified"
  return record.found.length > 0 && record.likelyCause ? "failed" : "pending"
}

export function afterLookup(records: WatchedRecord[], finding: Finding, now: Date): WatchedRecord[] {
  return records.map((record) => (record.key === "bimi" ? nextRecord(record, finding, now) : record))
}
