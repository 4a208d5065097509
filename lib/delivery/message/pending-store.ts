import { rememberEnded, type RetainedSigner } from "@/lib/domains/retained-signer-store"
import { db } from "@/lib/platform/database/scoped-db"

/** Emails read in one step. */
const emailsMax = 1_000

/**
 * Reads the domain's next emails in the order of their ids and remembers up to where all have ended: what has ended
 * stays so, hence no email is read twice. `pending`: one of them is still to be sent.
 */
export async function pendingStep(signer: RetainedSigner) {
  const { projectId, domainId, endedUpTo } = signer
  const emails = await db({ project: { id: projectId } }).email.findMany({
    where: { domainId, id: { gt: endedUpTo } },
    orderBy: { id: "asc" },
    take: emailsMax,
    select: { id: true, deliveries: { where: { dueAt: { not: null } }, select: { id: true }, take: 1 } },
  })
  const waiting = emails.findIndex(({ deliveries }) => deliveries.length > 0)
  const ended = waiting < 0 ? emails : emails.slice(0, waiting)
  const last = ended.at(-1)?.id
  if (last !== undefined) await rememberEnded(signer, last)
  return { pending: waiting >= 0, read: emails.length > 0 }
}
