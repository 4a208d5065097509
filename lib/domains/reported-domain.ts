import { idLabel } from "@/lib/domains/records/records"
import type { Sender } from "@/lib/domains/dmarc/rules"

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
