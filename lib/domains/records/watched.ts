import { dayMs } from "@/lib/platform/time"
import type { LikelyCause } from "@/lib/domains/check/findings"
import type { PublishedPolicy } from "@/lib/domains/records/dmarc-record"
import {
  mailFromValues,
  recordsToPublish,
  type ExpectedRecord,
  type RecordKey,
  type RecordStatus,
  type Registration,
  type ServiceNames,
} from "@/lib/domains/records/records"

/** What is stored of a record: everything that cannot be computed. Times are ISO 8601. */
export type RecordState = {
  key: RecordKey
  status: RecordStatus
  found: string[]
  likelyCause?: LikelyCause
  /** The last time that the DNS said anything definite about it. */
  lastAnswerAt?: string
  /** Of the idle DKIM selector: the value that was rotated out and has to stay until then. */
  retired?: { value: string; keepUntil: string }
  /** The value for the names with which the domain was verified was found instead of the present one. */
  oldFound?: boolean
  /** Of the DMARC record: what was published, from which the value is made. */
  policy?: PublishedPolicy
}

/** A record, its status, and what the last checks found. */
export type WatchedRecord = ExpectedRecord &
  RecordState & { /** Counts beside `value`, for a while. */ oldValue?: string }

/** The installation's names as a domain knows them. */
export type KnownNames = {
  /** Its records were compared with these last; null if they never were. */
  checked: ServiceNames | null
  /** It was verified with these. */
  verified: ServiceNames | null
  /** Since when the present names are others than those. */
  changedAt: Date | null
}

/** How long the records of earlier names keep a domain verified. */
const oldNamesMs = 14 * dayMs

/** Until when the records for the names with which a domain was verified count; null if these are the present ones. */
export function oldRecordsCountUntil(known: KnownNames, service: ServiceNames, now: Date): Date | null {
  const { checked, verified, changedAt } = known
  if (!verified || verified.serviceDomain === service.serviceDomain) return null
  const since = (checked?.serviceDomain === service.serviceDomain && changedAt) || now
  return new Date(since.getTime() + oldNamesMs)
}

/**
 * The records to publish for the installation's present names, with what is known of each. What was found for other names does
 * not make a record of the present ones right or wrong: it waits for the next check.
 */
export function watchedRecords(
  registration: Registration,
  states: RecordState[],
  known: KnownNames,
  service: ServiceNames,
  now: Date,
): WatchedRecord[] {
  const until = oldRecordsCountUntil(known, service, now)
  const old = known.verified && until && now < until ? mailFromValues(registration.region, known.verified) : null
  return recordsToPublish(registration, service).map((expected): WatchedRecord => {
    const state = states.find(({ key }) => key === expected.key)
    if (!state) return { ...expected, status: "pending", found: [] }
    // Rows of earlier versions also hold the name and the value.
    const { key, status, found, likelyCause, lastAnswerAt, retired, oldFound = false, policy } = state
    const name = namedBy[key]
    const stale = name !== undefined && known.checked !== null && known.checked[name] !== service[name]
    const oldValue = key === "mail-from-mx" || key === "mail-from-spf" ? old?.[key] : undefined
    const counts = oldValue !== undefined && (oldFound || (stale && status === "verified"))
    return {
      ...expected,
      key,
      status: stale && status === "verified" ? "pending" : status,
      found,
      ...(likelyCause && !stale ? { likelyCause } : {}),
      ...(lastAnswerAt ? { lastAnswerAt } : {}),
      ...(retired ? { retired } : {}),
      ...(policy ? { policy } : {}),
      ...(counts ? { oldFound: true, oldValue } : {}),
    }
  })
}

/** The part of the installation's names that is in the value of a record; a DKIM key and a logo have none. */
export const namedBy: Partial<Record<RecordKey, keyof ServiceNames>> = {
  "mail-from-mx": "serviceDomain",
  "mail-from-spf": "serviceDomain",
  tracking: "serviceDomain",
  dmarc: "reportDomain",
}

/** What is stored of the records. */
export function statesOf(records: WatchedRecord[]): RecordState[] {
  return records.map(({ key, status, found, likelyCause, lastAnswerAt, retired, oldFound, policy }) => ({
    key,
    status,
    found,
    ...(likelyCause ? { likelyCause } : {}),
    ...(lastAnswerAt ? { lastAnswerAt } : {}),
    ...(retired ? { retired } : {}),
    ...(oldFound ? { oldFound } : {}),
    ...(policy ? { policy } : {}),
  }))
}
