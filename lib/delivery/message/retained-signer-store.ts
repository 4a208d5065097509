import { db } from "@/lib/platform/database/scoped-db"

export type RetainedSigner = { projectId: string; domainId: string; endedUpTo: string }

/** Emails read in one step. */
const emailsMax = 1_000

/**
 * Reads the domain's next emails in the order of their ids and remembers up to where all have ended: what has ended
 * stays so, hence no email is read twice. `pending`: one of them is still to be handed over.
 */
export async function pendingStep({ projectId, domainId, endedUpTo }: RetainedSigner) {
  const project = db({ project: { id: projectId } })
  const emails = await project.email.findMany({
    where: { domainId, id: { gt: endedUpTo } },
    orderBy: { id: "asc" },
    take: emailsMax,
    select: { id: true, deliveries: { where: { dueAt: { not: null } }, select: { id: true }, take: 1 } },
  })
  const waiting = emails.findIndex(({ deliveries }) => deliveries.length > 0)
  const ended = waiting < 0 ? emails : emails.slice(0, waiting)
  const last = ended.at(-1)?.id
  if (last !== undefined) {
    await project.retainedSigner.updateMany({ where: { domainId }, data: { endedUpTo: last } })
  }
  return { pending: waiting >= 0, read: emails.length > 0 }
}

/** False if another worker was first. */
export async function dropSigner({ projectId, domainId }: RetainedSigner): Promise<boolean> {
  const { count } = await db({ project: { id: projectId } }).retainedSigner.deleteMany({ where: { domainId } })
  return count > 0
}
