import type { StoredFinding } from "@/lib/domains/check/history"
import type { Hosting } from "@/lib/domains/diagnosis/hosting"
import type { PublishedPolicy } from "@/lib/domains/records/dmarc-record"
import { recordsToPublish, type Registration, type ServiceNames } from "@/lib/domains/records/records"
import { watchedRecords, type KnownNames, type RecordState, type WatchedRecord } from "@/lib/domains/records/watched"
import type { Prisma } from "@/prisma/generated/client"
import type { Region } from "@/lib/regions/regions"

/** Every column of a domain that a response or a check needs. */
export const domainShape = {
  id: true,
  projectId: true,
  name: true,
  region: true,
  mailFromDomain: true,
  trackingDomain: true,
  status: true,
  dkimStatus: true,
  spfStatus: true,
  mailFromStatus: true,
  dmarcStatus: true,
  trackingStatus: true,
  bimiStatus: true,
  bimiLogoUrl: true,
  bimiVmcUrl: true,
  bimiLogo: false,
  records: true,
  verifiedAt: true,
  missingSince: true,
  checkedAt: true,
  checkAttempt: true,
  dueAt: true,
  createdAt: true,
  updatedAt: true,
  hosting: true,
  toldStatus: false,
  toldVerifiedAt: false,
  toldDegradedAt: false,
  toldFailedAt: false,
  checkedServiceDomain: true,
  checkedReportDomain: true,
  verifiedServiceDomain: true,
  verifiedReportDomain: true,
  namesChangedAt: true,
  toldNames: false,
} as const satisfies Record<Prisma.DomainScalarFieldEnum, boolean>

export type DomainRow = Prisma.DomainGetPayload<{ select: typeof domainShape }>

/** The keys whose public halves are to be published. */
export const keysShape = {
  where: { state: { not: "retired" } },
  select: { id: true, selector: true, publicKey: true, state: true },
} as const satisfies Prisma.Domain$dkimKeysArgs

/** What a domain's records are made of. */
export const recordsShape = {
  name: true,
  region: true,
  mailFromDomain: true,
  trackingDomain: true,
  dmarcStatus: true,
  bimiLogoUrl: true,
  bimiVmcUrl: true,
  records: true,
  checkedServiceDomain: true,
  checkedReportDomain: true,
  verifiedServiceDomain: true,
  verifiedReportDomain: true,
  namesChangedAt: true,
  dkimKeys: keysShape,
} as const satisfies Prisma.DomainSelect

type RecordsRow = Prisma.DomainGetPayload<{ select: typeof recordsShape }>

/** The records of a domain for the installation's present names. */
export function recordsOf(row: RecordsRow, reportToken: string | null, service: ServiceNames, now: Date) {
  return watchedRecords(registrationOf(row, reportToken), recordStates(row.records), knownNames(row), service, now)
}

/** Region and selectors are written by this area alone. */
export function registrationOf(row: RecordsRow, reportToken: string | null): Registration {
  return {
    domain: row.name,
    region: row.region as Region,
    mailFromDomain: row.mailFromDomain,
    trackingDomain: row.trackingDomain,
    keys: row.dkimKeys.map(({ selector, publicKey, state }) => ({
      record: recordOf(selector),
      selector,
      publicKey,
      active: state === "active",
    })),
    reportToken,
    policy: policyOf(row),
    logo: { logoUrl: row.bimiLogoUrl, vmcUrl: row.bimiVmcUrl },
  }
}

/** Our selectors end in the letter of their key. */
export function recordOf(selector: string): "dkim-a" | "dkim-b" {
  return selector.endsWith("b") ? "dkim-b" : "dkim-a"
}

export function knownNames(row: Omit<RecordsRow, "dkimKeys">): KnownNames {
  return {
    checked: namesOf(row.checkedServiceDomain, row.checkedReportDomain),
    verified: namesOf(row.verifiedServiceDomain, row.verifiedReportDomain),
    changedAt: row.namesChangedAt,
  }
}

function namesOf(serviceDomain: string | null, reportDomain: string | null): ServiceNames | null {
  return serviceDomain === null || reportDomain === null ? null : { serviceDomain, reportDomain }
}

/** Only this area writes the records column, always as a list of states. */
export function recordStates(json: Prisma.JsonValue): RecordState[] {
  return json as RecordState[]
}

/** What was published for DMARC. Earlier versions stored the record to publish with its name, and what was found there. */
function policyOf({ records, dmarcStatus }: Pick<RecordsRow, "records" | "dmarcStatus">): PublishedPolicy {
  const state = recordStates(records).find(({ key }) => key === "dmarc") as
    (RecordState & { name?: string }) | undefined
  if (state?.policy) return state.policy
  if (!state?.name || state.found.length === 0) return { kind: "none" }
  const kind = dmarcStatus === "verified" ? "policy" : state.found.length > 1 ? "several" : "invalid"
  return { kind, name: state.name, texts: state.found }
}

/** What is kept of a deleted domain's records. */
export type RetainedRegistration = Omit<Registration, "domain" | "region" | "mailFromDomain">

type RetainedRow = { domain: string; region: string; mailFromDomain: string; records: Prisma.JsonValue }

/** The records of a deleted domain; earlier versions stored them whole. */
export function retainedRecords({ domain, region, mailFromDomain, records }: RetainedRow, service: ServiceNames) {
  if (Array.isArray(records)) return records as WatchedRecord[]
  const kept = records as unknown as RetainedRegistration
  return recordsToPublish({ domain, region: region as Region, mailFromDomain, ...kept }, service)
}

/** Only this area writes the hosting column. */
export function hostingOf(json: Prisma.JsonValue): Hosting | null {
  return json as Hosting | null
}

/** Only this area writes the findings of a check. */
export function findingsOf(json: Prisma.JsonValue): StoredFinding[] {
  return json as StoredFinding[]
}
