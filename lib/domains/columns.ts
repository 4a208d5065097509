import type { StoredFinding } from "@/lib/domains/check/history"
import type { Hosting } from "@/lib/domains/diagnosis/hosting"
import type { WatchedRecord } from "@/lib/domains/rules"
import type { Prisma } from "@/prisma/generated/client"

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
  bimiVmcUrl: false,
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
} as const satisfies Record<Prisma.DomainScalarFieldEnum, boolean>

export type DomainRow = Prisma.DomainGetPayload<{ select: typeof domainShape }>

/** Only this area writes the records column, always as a list of watched records. */
export function recordsOf(json: Prisma.JsonValue): WatchedRecord[] {
  return json as WatchedRecord[]
}

/** Only this area writes the hosting column. */
export function hostingOf(json: Prisma.JsonValue): Hosting | null {
  return json as Hosting | null
}

/** Only this area writes the findings of a check. */
export function findingsOf(json: Prisma.JsonValue): StoredFinding[] {
  return json as StoredFinding[]
}
