import type { StoredCause, ToldCause } from "@/lib/explanation/record-codes"
import { causeWords } from "@/lib/explanation/record-words"
import type { RecordKey, RecordStatus } from "@/lib/domains/records/records"

/** What a check found out about a record, as the history stores it. */
export type StoredFinding = { key: RecordKey; status: RecordStatus; likelyCause?: StoredCause }

export type StoredCheck = { at: Date; status: string; findings: StoredFinding[] }

export type CheckChanges = {
  at: Date
  status: string
  changes: { record: RecordKey; status: RecordStatus; likelyCause?: ToldCause }[]
}

/**
 * The newest `shown` checks, each with what changed since the one before. `stored` is newest first and holds one more
 * where more exist; before the first check every record was pending.
 */
export function checksOf(stored: StoredCheck[], shown: number): CheckChanges[] {
  return stored.slice(0, shown).map(({ at, status, findings }, index) => {
    const earlier = stored[index + 1]?.findings ?? []
    const changes = findings
      .filter((finding) =>
        differs(
          finding,
          earlier.find(({ key }) => key === finding.key),
        ),
      )
      .map(({ key, status: now, likelyCause }) => ({
        record: key,
        status: now,
        ...(likelyCause ? { likelyCause: causeWords(likelyCause) } : {}),
      }))
    return { at, status, changes }
  })
}

function differs(now: StoredFinding, earlier: StoredFinding | undefined): boolean {
  return now.status !== (earlier?.status ?? "pending") || now.likelyCause?.code !== earlier?.likelyCause?.code
}
