import { db } from "@/lib/platform/database/scoped-db"
import type { Scope } from "@/lib/platform/http/scope"
import { present } from "@/lib/platform/schema"
import {
  readContact,
  readStep,
  reasons,
  sampleMax,
  type Audience,
  type Question,
  type Step,
} from "@/lib/segments/preview-sql"
import { conditionsOf, matches as filterMatches } from "@/lib/segments/rules"
import type { Preview } from "@/lib/segments/schema"

const stepMax = 5_000
const stepMin = 100
const budgetMs = 2_000

/**
 * Scans contacts from the newest on, in short statements, for 2 seconds at most: so a preview costs the same whatever the
 * filter and however many contacts there are.
 * @param topicId only contacts whose state in this topic is opt-in are sendable
 */
export async function previewAudience(
  scope: Scope,
  audience: Audience,
  topicId: string | null,
  clock: { now(): Date },
): Promise<Omit<Preview, "contact">> {
  const endsAt = clock.now().getTime() + budgetMs
  const sum = emptyPreview()
  let [after, size, exact]: [string | null, number, boolean] = [null, stepMax, false]
  while (!exact && clock.now().getTime() < endsAt) {
    const step = await readStep(scope, audience, topicId, after, size)
    if (!step) {
      if (size <= stepMin) break
      size = Math.ceil(size / 5)
      continue
    }
    add(sum, step)
    after = step.last
    exact = step.scanned < size
  }
  const total = exact ? sum.scanned : Math.max(sum.scanned, await totalOf(scope, audience))
  return { ...sum, exact, estimate: exact || !sum.scanned ? sum.count : Math.round((sum.count * total) / sum.scanned) }
}

/** The counter alone: an estimate needs no exact total. */
async function totalOf(scope: Scope, audience: Audience): Promise<number> {
  if ("filter" in audience) {
    const row = await db(scope).audienceTotal.findFirst({ select: { contacts: true } })
    return row?.contacts ?? 0
  }
  if ("segmentId" in audience) {
    const row = await db(scope).segment.findUnique({
      where: { id: audience.segmentId },
      select: { contactCount: true },
    })
    return row?.contactCount ?? 0
  }
  const row = await db(scope).topic.findUnique({ where: { id: audience.optedIn }, select: { optInCount: true } })
  return row?.optInCount ?? 0
}

function emptyPreview(): Omit<Preview, "contact"> {
  return {
    count: 0,
    exact: false,
    estimate: 0,
    scanned: 0,
    sample: [],
    sendable: 0,
    excluded: reasons.map((reason) => ({ reason, count: 0, sample: [] })),
  }
}

function add(sum: Omit<Preview, "contact">, step: Step) {
  sum.count += step.found
  sum.scanned += step.scanned
  sum.sample = [...sum.sample, ...step.sample].slice(0, sampleMax)
  sum.sendable += step.found - step.unsubscribed - step.suppressed - step.no_opt_in
  for (const one of sum.excluded) {
    one.count += step[one.reason]
    one.sample = [...one.sample, ...step[`${one.reason}_sample`]].slice(0, 5)
  }
}

/** Why a contact is in or out; null if the project has no such contact. */
export async function explainContact(
  scope: Scope,
  contactId: string,
  question: Question,
): Promise<NonNullable<Preview["contact"]> | null> {
  const row = await readContact(scope, contactId, question)
  if (!row) return null
  const { filter, segmentId } = question
  const conditions = filter
    ? conditionsOf(filter).map((one, at) => ({ ...one, matches: row.matching[at] ?? false }))
    : []
  const matching = new Set(conditions.flatMap((one) => (one.matches ? [one.pointer] : [])))
  const matches = segmentId
    ? row.origin !== null && row.origin !== "removed"
    : filter
      ? filterMatches(filter, matching)
      : row.optedIn
  return {
    contactId,
    email: row.email,
    matches,
    sendable: matches && row.excluded === null,
    excluded: present(row.excluded),
    origin: present(row.origin ?? null),
    conditions,
  }
}
