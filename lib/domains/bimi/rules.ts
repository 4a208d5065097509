import type { Finding } from "@/lib/domains/check/findings"
import type { ExpectedRecord } from "@/lib/domains/records/records"
import { nextRecord, type ComponentStatus, type WatchedRecord } from "@/lib/domains/rules"

export type BimiSettings = { logoUrl: string | null; vmcUrl: string | null }

/** The record to publish for a logo; without a certificate `a` is empty. */
export function bimiRecord(domain: string, logoUrl: string, vmcUrl: string | null): ExpectedRecord {
  const value = `v=BIMI1; l=${logoUrl}; a=${vmcUrl ?? ""};`
  return { key: "bimi", name: `default._bimi.${domain}`, type: "TXT", value, optional: true }
}

/** The records with that of the logo, which waits to be found, or without one. */
export function withBimi(records: WatchedRecord[], domain: string, { logoUrl, vmcUrl }: BimiSettings): WatchedRecord[] {
  const others = records.filter(({ key }) => key !== "bimi")
  if (logoUrl === null) return others
  return [...others, { ...bimiRecord(domain, logoUrl, vmcUrl), status: "pending", found: [] }]
}

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
