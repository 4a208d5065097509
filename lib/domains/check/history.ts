import type { Mistake } from "@/lib/domains/check/findings"
import type { RecordKey } from "@/lib/domains/records/records"
import type { RecordStatus } from "@/lib/domains/rules"

/** What a look showed of a record, as the history keeps it. */
export type KeptFinding = { key: RecordKey; status: RecordStatus; mistake?: Mistake }

export type KeptLook = { at: Date; status: string; findings: KeptFinding[] }

export type Look = {
  at: Date
  status: string
  changes: { record: RecordKey; status: RecordStatus; mistake?: Mistake }[]
}

/**
 * The newest `shown` looks, each with what it showed differently from the one before. `kept` is newest first and holds
 * one more where there are more; before the first look everything was waited for.
 */
export function looksOf(kept: KeptLook[], shown: number): Look[] {
  return kept.slice(0, shown).map(({ at, status, findings }, index) => {
    const earlier = kept[index + 1]?.findings ?? []
    const changes = findings
      .filter((finding) =>
        differs(
          finding,
          earlier.find(({ key }) => key === finding.key),
        ),
      )
      .map(({ key, status: now, mistake }) => ({ record: key, status: now, ...(mistake ? { mistake } : {}) }))
    return { at, status, changes }
  })
}

function differs(now: KeptFinding, earlier: KeptFinding | undefined): boolean {
  return now.status !== (earlier?.status ?? "pending") || now.mistake?.code !== earlier?.mistake?.code
}
