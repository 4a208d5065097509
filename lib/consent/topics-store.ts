import type { ScopedDb } from "@/lib/platform/database/scoped-types"

/** Takes an address that is no contact out of a topic. The transaction holds the lock of the address. */
export async function optOut(topicId: string, email: string, tx: ScopedDb): Promise<void> {
  await tx.topicOptOut.createMany({ data: [{ topicId, email }], skipDuplicates: true })
}

/** Turns the opt-outs of a contact that is about to be deleted into those of its address. */
export async function preserveOptOuts(contact: { id: string; email: string }, tx: ScopedDb): Promise<void> {
  const left = await tx.topicPreference.findMany({
    where: { contactId: contact.id, subscription: "opt_out", topic: { deletedAt: null } },
    select: { topicId: true },
  })
  const data = left.map(({ topicId }) => ({ topicId, email: contact.email }))
  if (data.length) await tx.topicOptOut.createMany({ data, skipDuplicates: true })
}

/** Removes about `batch` preferences, or opt-outs, of a deleted topic. False when none was left. */
export async function removeOfTopic(topicId: string, batch: number, on: ScopedDb): Promise<boolean> {
  const last = await on.topicPreference.findFirst({
    where: { topicId },
    select: { contactId: true },
    orderBy: { contactId: "asc" },
    skip: batch - 1,
  })
  const range = last && { contactId: { lte: last.contactId } }
  const preferences = await on.topicPreference.deleteMany({ where: { topicId, ...range } })
  if (preferences.count) return true
  const next = await on.topicOptOut.findMany({ where: { topicId }, select: { email: true }, take: batch })
  const optOuts = await on.topicOptOut.deleteMany({ where: { topicId, email: { in: next.map(({ email }) => email) } } })
  return optOuts.count > 0
}
