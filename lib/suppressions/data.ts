import { addAudit } from "@/lib/access/audit/data"
import { lockContact, dropSuppression, suppressAll, type SuppressedRow, suppressManually } from "@/lib/consent/data"
import type { SuppressionReason } from "@/lib/consent/rules"
import { transaction } from "@/lib/platform/database/db"
import { db } from "@/lib/platform/database/scoped-db"
import { shown } from "@/lib/platform/database/shape"
import { offset, type PageRequest } from "@/lib/platform/http/paging"
import type { Scope } from "@/lib/platform/http/scope"
import { present } from "@/lib/platform/schema"
import { escapeLike } from "@/lib/platform/format"
import { askForSesRemoval } from "@/lib/suppressions/ses-removals-store"
import type { Suppression } from "@/lib/suppressions/schema"
import type { Prisma } from "@/prisma/generated/client"

/** The contact is found by address: one that came later counts, one that was deleted does not. */
const shape = {
  id: true,
  projectId: true,
  email: true,
  reason: true,
  alsoUnsubscribed: false,
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

/** Suppressions, newest first: one more than the page holds where there are more. */
export async function readSuppressions(
  scope: Scope,
  filter: SuppressionFilter,
  request: PageRequest,
): Promise<{ data: Suppression[]; total: number }> {
  const where = conditionsOf(filter)
  const bound = Object.keys(where).length ? { take: countedMax } : {}
  const [rows, total] = await Promise.all([
    db(scope).suppression.findMany({
      where,
      select: shape,
      orderBy: { id: "desc" },
      skip: offset(request),
      take: request.size + 1,
    }),
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

function toSuppression(row: Row, contactId: string | undefined): Suppression {
  return shown<Suppression>()({
    ...row,
    contactId,
    emailId: present(row.emailId),
    eventId: present(row.eventId),
    evidence: present(row.evidence),
  })
}

const exportedShape = { id: true, email: true, reason: true, createdAt: true } as const

export type ExportedSuppression = Prisma.SuppressionGetPayload<{ select: typeof exportedShape }>

/** Rows of one step of an export: bounds its memory. */
const exportRows = 1_000

/** The whole list, newest first, in groups that are read one after the other. */
export async function* eachSuppression(scope: Scope): AsyncGenerator<ExportedSuppression[]> {
  for (let last: string | undefined; ;) {
    const rows: ExportedSuppression[] = await db(scope).suppression.findMany({
      where: { ...(last && { id: { lt: last } }) },
      select: exportedShape,
      orderBy: { id: "desc" },
      take: exportRows,
    })
    if (rows.length) yield rows
    if (rows.length < exportRows) return
    last = rows.at(-1)?.id
  }
}

/**
 * Suppresses an address because the caller asks for it; null if it is on the list, which is left as it is. Answers what was written, because
 * reading it again takes as long as writing it.
 */
export async function addManually(scope: Scope, email: string): Promise<Suppression | null> {
  const projectId = scope.project.id
  return transaction(async (client) => {
    const contact = await lockContact(projectId, { email }, client)
    const added = await suppressManually(projectId, email, client)
    if (!added) return null
    const reason = "manual"
    await addAudit(scope, { action: "suppressions.add", target: email, changes: { reason } }, client)
    const row = { ...added, projectId, email, reason, emailId: null, eventId: null, evidence: null }
    return toSuppression(row, contact?.id)
  })
}

/**
 * Takes an address off the list, with an audit entry; false if it is not on it. Where a region sends by Amazon SES, the worker then
 * takes it off that account's list: what is asked for before nothing was removed here does no harm there.
 */
export async function removeAddress(scope: Scope, email: string): Promise<boolean> {
  const known = await db(scope).suppression.findFirst({ where: { email }, select: { reason: true } })
  if (known && known.reason !== "unsubscribe") await askForSesRemoval(email)
  return transaction(async (client) => {
    const removed = await dropSuppression(scope.project.id, email, client)
    if (!removed) return false
    const { reason, resubscribed } = removed
    const changes = { reason, ...(resubscribed ? { unsubscribed: [true, false] } : {}) }
    await addAudit(scope, { action: "suppressions.remove", target: email, changes }, client)
    return true
  })
}

/** Rows of one transaction, so that none holds its locks for long. */
const stepRows = 500

/**
 * Adds addresses that the list does not have; of one that it has, a reason that outweighs the stored one replaces it. If it
 * is interrupted, the rows added so far remain, and the same import continues from there.
 * @returns how many addresses were added
 */
export async function addSuppressions(scope: Scope, rows: readonly SuppressedRow[]): Promise<number> {
  let added = 0
  for (const step of stepsOf(rows)) {
    added += await db(scope).$transaction((tx) => suppressAll(scope.project.id, step, tx))
  }
  await addAudit(scope, { action: "suppressions.import", changes: { rows: rows.length, added } })
  return added
}

/** How many of these addresses the list does not have. */
export async function countNew(scope: Scope, rows: readonly SuppressedRow[]): Promise<number> {
  let known = 0
  for (const step of stepsOf(rows)) {
    known += await db(scope).suppression.count({ where: { email: { in: step.map(({ email }) => email) } } })
  }
  return rows.length - known
}

function stepsOf(rows: readonly SuppressedRow[]): (readonly SuppressedRow[])[] {
  return Array.from({ length: Math.ceil(rows.length / stepRows) }, (_, at) =>
    rows.slice(at * stepRows, (at + 1) * stepRows),
  )
}
