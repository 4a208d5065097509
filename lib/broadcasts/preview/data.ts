import type { Candidate } from "@/lib/broadcasts/sending/walk-sql"
import { db } from "@/lib/platform/database/scoped-db"
import type { Scope } from "@/lib/platform/http/scope"

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
