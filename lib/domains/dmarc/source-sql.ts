import type { SourceKind } from "@/lib/domains/dmarc/rules"
import type { Disposition } from "@/lib/domains/dmarc/report"
import type { InProject } from "@/lib/platform/database/scoped-db"
import type { ScopedDb } from "@/lib/platform/database/scoped-types"

export type StoredSource = {
  address: string
  identity: string | null
  kind: SourceKind
  disposition: Disposition
  dkim: boolean
  spf: boolean
  messages: number
}

/** Adds what a report counts. Raw, because a report may have thousands of rows, which are one statement this way. */
export async function addSources(
  scope: InProject,
  report: { id: string; domainId: string; day: string },
  sources: readonly StoredSource[],
  tx: ScopedDb,
): Promise<void> {
  const column = <T>(of: (source: StoredSource) => T) => sources.map(of)
  await tx.$executeRaw`
    INSERT INTO dmarc_sources (report_id, ordinal, project_id, domain_id, day, address, identity, kind, disposition, dkim, spf, messages)
      SELECT ${report.id}::uuid, ordinal, ${scope.project.id}::uuid, ${report.domainId}::uuid, ${report.day}::date,
          address, nullif(identity, ''), kind, disposition, dkim, spf, messages
        FROM unnest(${column((s) => s.address)}::text[], ${column((s) => s.identity ?? "")}::text[],
          ${column((s) => s.kind)}::text[], ${column((s) => s.disposition)}::text[], ${column((s) => s.dkim)}::boolean[],
          ${column((s) => s.spf)}::boolean[], ${column((s) => s.messages)}::int[])
          WITH ORDINALITY AS given(address, identity, kind, disposition, dkim, spf, messages, ordinal)`
}
