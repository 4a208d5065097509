import type { RecordFault } from "@/lib/explanation/record-words"
import { dayMs, hourMs } from "@/lib/platform/time"
import { type DomainNames, type KnownNames, namedBy, type WatchedRecord } from "@/lib/domains/records/records"
import { graceMs, maySend, requiredKeys, type DomainState, type DomainStatus } from "@/lib/domains/rules"

/** The statuses that owners are notified of. */
export type ToldStatus = "verified" | "degraded" | "failed"

/** The last notification to the owners, and the time of the last one of each status. */
export type Told = {
  status: ToldStatus | null
  at: Record<ToldStatus, Date | null>
  /** The installation's names of which they were told that records are new. */
  names?: string | null
}

/** At most one notice of each kind in this time. */
export const noticeWindowMs = dayMs

/**
 * Whether the owners' last notification no longer matches the domain's status. There are none about a domain that was
 * never verified, and without any notification owners assume that it is verified.
 */
export function isNews({ status, verifiedAt }: Pick<DomainState, "status" | "verifiedAt">, told: Told): boolean {
  return verifiedAt !== null && status !== "pending" && status !== (told.status ?? "verified")
}

/**
 * Of which status to tell the owners now, after a check. It compares with what they were told rather than with the check
 * before, so that what a window kept back is told when it has ended, if it is still true.
 */
export function dueNotice(state: Pick<DomainState, "status" | "verifiedAt">, told: Told, now: Date): ToldStatus | null {
  const { status } = state
  if (status === "pending" || !isNews(state, told)) return null
  const last = told.at[status]
  return last && now.getTime() - last.getTime() < noticeWindowMs ? null : status
}

/** The state of notifications after this one. */
export function afterNotice(told: Told, status: ToldStatus, at: Date): Told {
  return { ...told, status, at: { ...told.at, [status]: at } }
}

/** The installation's names as they are remembered. */
export function namesText({ serviceDomain, reportDomain, mx, spf }: DomainNames): string {
  return [serviceDomain, reportDomain, mx, spf].join(" ")
}

/**
 * The records that have another value than the one with which a domain was verified, and are published with the old one or
 * with another: what its owners have to change because the installation changed its names. None of a domain that may not send.
 */
export function newRecords(
  status: DomainStatus,
  { verified }: Pick<KnownNames, "verified">,
  records: readonly WatchedRecord[],
  service: DomainNames,
): WatchedRecord[] {
  if (!verified || !maySend(status)) return []
  return records.filter(({ key, status: now, oldFound, found, value }) => {
    const name = namedBy[key]
    const isNew = name !== undefined && verified[name] !== service[name]
    return isNew && value !== "" && now !== "verified" && (oldFound === true || found.length > 0)
  })
}

/** What is wrong with each required record. */
export function recordFaults(records: readonly WatchedRecord[], active: "dkim-a" | "dkim-b", now: Date): RecordFault[] {
  const required = requiredKeys(active)
  return required.flatMap((key) => {
    const record = records.find((one) => one.key === key)
    if (!record || record.status === "verified") return []
    const { name, value: expected, found } = record
    return { record: key, name, expected, found, ...faultOf(record, now) }
  })
}

function faultOf({ found, likelyCause, lastAnswerAt }: WatchedRecord, now: Date) {
  if (likelyCause?.facts) return likelyCause
  if (likelyCause) return { code: "recorded", facts: { text: likelyCause.message } } as const
  if (lastAnswerAt && now.getTime() - Date.parse(lastAnswerAt) >= graceMs)
    return { code: "no-answer", facts: { hours: graceMs / hourMs } } as const
  return { code: found.length ? "another-value" : "not-found", facts: {} } as const
}
