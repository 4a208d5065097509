import type { SuppressionReason } from "@/lib/consent/rules"
import { db } from "@/lib/platform/database/scoped-db"
import { shown } from "@/lib/platform/database/shape"
import { sliceOf, type PageRequest } from "@/lib/platform/http/paging"
import type { Scope } from "@/lib/platform/http/scope"
import { present } from "@/lib/platform/schema"
import { escapeLike } from "@/lib/platform/text"
import type { Suppression } from "@/lib/suppressions/schema"
import type { Prisma } from "@/prisma/generated/client"

/** The contact is found by address: one that came later counts, one that was deleted does not. */
const shape = {
  id: true,
  projectId: true,
  email: true,
  reason: true,
  contactId: false,
  emailId: true,
  eventId: true,
  evidence: true,
  createdAt: true,
} as const satisfies Record<Prisma.SuppressionScalarFieldEnum, boolean>

type Row = Prisma.SuppressionGetPayload<{ select: typeof shape }>

export type SuppressionFilter = {
  reason?: SuppressionReason
  /** The canonical address. */
  email?: string
  /** Part of the canonical address. */
  search?: string
}

/** Filtered lists are counted up to here. */
const countedMax = 10_000

/** Suppressions, newest first. */
export async function listSuppressions(
  scope: Scope,
  filter: SuppressionFilter,
  request: PageRequest,
): Promise<{ data: Suppression[]; total: number }> {
  const where = conditionsOf(filter)
  const bound = Object.keys(where).length ? { take: countedMax } : {}
  const [rows, total] = await Promise.all([
    db(scope).suppression.findMany({ where, select: shape, orderBy: { id: "desc" }, ...sliceOf(request) }),
    db(scope).suppression.count({ where, ...bound }),
  ])
  const contactIds = await contactIdsOf(
    scope,
    rows.map((row) => row.email),
  )
  return { data: rows.map((row) => toSuppression(row, contactIds.get(row.email))), total }
}

export async function findSuppression(scope: Scope, email: string): Promise<Suppression | null> {
  const [row, contactIds] = await Promise.all([
    db(scope).suppression.findFirst({ where: { email }, select: shape }),
    contactIdsOf(scope, [email]),
  ])
  return row && toSuppression(row, contactIds.get(email))
}

function conditionsOf({ reason, email, search }: SuppressionFilter) {
  return {
    ...(reason !== undefined && { reason }),
    ...((email !== undefined || search !== undefined) && {
      email: {
        ...(email !== undefined && { equals: email }),
        ...(search !== undefined && { contains: escapeLike(search.toLowerCase()) }),
      },
    }),
  }
}

/** The contacts with these addresses, by address. */
async function contactIdsOf(scope: Scope, emails: string[]): Promise<ReadonlyMap<string, string>> {
  const contacts = await db(scope).contact.findMany({
    where: { email: { in: emails } },
    select: { id: true, email: true },
  })
  return new Map(contacts.map(({ id, email }) => [email, id]))
}

export function toSuppression(row: Row, contactId: string | undefined): Suppression {
  return shown<Suppression>()({
    ...row,
    contactId,
    emailId: present(row.emailId),
    eventId: present(row.eventId),
    evidence: present(row.evidence),
  })
}
