import { databaseTime, secondsAfter } from "@/lib/platform/database/clock-sql"
import { unscoped } from "@/lib/platform/database/db"
import { db } from "@/lib/platform/database/scoped-db"

/** The key of a deleted domain; all its emails up to `endedUpTo` have ended. */
export type RetainedSigner = { projectId: string; domainId: string; endedUpTo: string }

const signersMax = 50

const beforeAll = "00000000-0000-0000-0000-000000000000"

/** So long after the deletion a send that was being accepted then is stored. */
const settledSeconds = 15

/** Retained keys of all projects in the order of their domains; `next` is where to continue. */
export async function nextSigners(
  behind: string = beforeAll,
): Promise<{ signers: RetainedSigner[]; next: string | undefined }> {
  const settled = secondsAfter(await databaseTime(), -settledSeconds)
  const rows = await unscoped().retainedSigner.findMany({
    where: { domainId: { gt: behind }, deletedAt: { lt: settled } },
    orderBy: { domainId: "asc" },
    take: signersMax,
    select: { projectId: true, domainId: true, endedUpTo: true },
  })
  const signers = rows.map(({ endedUpTo, ...row }) => ({ ...row, endedUpTo: endedUpTo ?? beforeAll }))
  return { signers, next: signers.length === signersMax ? signers.at(-1)?.domainId : undefined }
}

/** Remembers up to which email all of the domain's have ended. */
export async function rememberEnded({ projectId, domainId }: RetainedSigner, emailId: string): Promise<void> {
  const project = db({ project: { id: projectId } })
  await project.retainedSigner.updateMany({ where: { domainId }, data: { endedUpTo: emailId } })
}

/** False if another worker was first. */
export async function dropSigner({ projectId, domainId }: RetainedSigner): Promise<boolean> {
  const { count } = await db({ project: { id: projectId } }).retainedSigner.deleteMany({ where: { domainId } })
  return count > 0
}

/** What deliveries need of a deleted domain for the mail accepted before. */
export async function findRetained(projectId: string, domainId: string) {
  return db({ project: { id: projectId } }).retainedSigner.findUnique({
    where: { domainId },
    select: { domain: true, mailFromDomain: true, keyId: true, selector: true, privateKey: true },
  })
}
