import { causeWords } from "@/lib/domains/check/causes"
import { dayMs, hourMs } from "@/lib/platform/time"
import {
  type KnownNames,
  namedBy,
  type RecordKey,
  type ServiceNames,
  type WatchedRecord,
} from "@/lib/domains/records/records"
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
export function namesText({ serviceDomain, reportDomain }: ServiceNames): string {
  return `${serviceDomain} ${reportDomain}`
}

/**
 * The records that have another value than the one with which a domain was verified, and are published with the old one or
 * with another: what its owners have to change because the installation changed its names. None of a domain that may not send.
 */
export function newRecords(
  status: DomainStatus,
  { verified }: Pick<KnownNames, "verified">,
  records: readonly WatchedRecord[],
  service: ServiceNames,
): WatchedRecord[] {
  if (!verified || !maySend(status)) return []
  return records.filter(({ key, status: now, oldFound, found, value }) => {
    const name = namedBy[key]
    const isNew = name !== undefined && verified[name] !== service[name]
    return isNew && value !== "" && now !== "verified" && (oldFound === true || found.length > 0)
  })
}

const titles: Partial<Record<RecordKey, string>> = {
  ...{ "dkim-a": "DKIM record", "dkim-b": "DKIM record" },
  ...{ "mail-from-mx": "MAIL FROM MX record", "mail-from-spf": "MAIL FROM SPF record" },
}

/** What is wrong with each required record, as a sentence. */
export function recordFaults(records: readonly WatchedRecord[], active: "dkim-a" | "dkim-b", now: Date): string[] {
  const required = requiredKeys(active)
  return records
    .filter(({ key, status }) => required.includes(key) && status !== "verified")
    .map((record) => `${titles[record.key]} at ${record.name}: ${faultOf(record, now)}`)
}

function faultOf({ found, likelyCause, lastAnswerAt }: WatchedRecord, now: Date): string {
  if (likelyCause) return causeWords(likelyCause).message
  if (lastAnswerAt && now.getTime() - Date.parse(lastAnswerAt) >= graceMs)
    return `the name servers have not answered for ${graceMs / hourMs} hours.`
  return found.length ? "another value was found." : "not found."
}
