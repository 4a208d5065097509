import {
  type Candidate,
  namedCandidate,
  nextMembers,
  type Walk,
  type RecipientSource,
} from "@/lib/broadcasts/sending/walk-sql"
import { db } from "@/lib/platform/database/scoped-db"
import type { Scope } from "@/lib/platform/http/scope"
import { decide } from "@/lib/broadcasts/rules"
import { newId } from "@/lib/platform/ids"

/** The host that tracked links of this sending domain name; null where they lead to the service itself. */
export async function trackingHostOf(scope: Scope, domain: string): Promise<string | null> {
  const where = { name: domain, trackingStatus: "verified" }
  return (await db(scope).domain.findFirst({ where, select: { trackingDomain: true } }))?.trackingDomain ?? null
}

const contactShape = { email: true, firstName: true, lastName: true, phone: true, properties: true } as const

/** What a message shows of a contact. */
export type ShownPerson = Pick<Candidate, "contactId" | "email" | "contact">

/** A contact as a broadcast shows it; null where there is none. */
export async function findShownPerson(scope: Scope, id: string): Promise<ShownPerson | null> {
  const row = await db(scope).contact.findUnique({ where: { id }, select: contactShape })
  if (!row) return null
  const { email, ...contact } = row
  return { contactId: id, email, contact }
}

/** People of one statement. */
const pageMax = 500

/** Whether the walk has come to the end, or to the most people that it looks at. */
type Audience = { sendable: Candidate[]; complete: boolean }

/** Who would get a broadcast if it were sent now, in the order in which a worker reaches them, of the first `most` people. */
export async function audienceOf(
  { projectId, topicId }: Pick<Walk, "projectId" | "topicId">,
  sources: readonly RecipientSource[],
  most: number,
): Promise<Audience> {
  const walk: Walk = { id: newId(), projectId, topicId, startedAt: new Date(), isPersonal: true }
  const sendable = new Map<string, Candidate>()
  let met = 0
  for (const [position, source] of sources.entries()) {
    const isNamed = source.kind === "contact" || source.kind === "address"
    let cursor: string | null = null
    for (;;) {
      if (met >= most) return { sendable: [...sendable.values()], complete: false }
      const limit = Math.min(pageMax, most - met)
      const page: Candidate[] = isNamed
        ? [await namedCandidate(walk, sources, position)].flatMap((one) => one ?? [])
        : await nextMembers(walk, { sources, position, cursor }, limit)
      met += page.length
      for (const one of page) if (decide(one) === "send" && !sendable.has(one.email)) sendable.set(one.email, one)
      if (isNamed || page.length < limit) break
      cursor = page.at(-1)?.contactId ?? null
    }
  }
  return { sendable: [...sendable.values()], complete: true }
}
