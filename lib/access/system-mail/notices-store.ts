import { queueSystemMail } from "@/lib/access/system-mail/store"
import { systemMailExpiresAfterMs, systemRelay, type Notice } from "@/lib/access/system-mail/system-mail"
import { unscopedTransaction } from "@/lib/platform/database/db"
import { db } from "@/lib/platform/database/scoped-db"
import type { ScopedDb } from "@/lib/platform/database/scoped-types"
import { env } from "@/lib/platform/env/env"
import { encodeId } from "@/lib/platform/ids"
import type { Prisma } from "@/prisma/generated/client"

type Project = { organizationId: string; name: string }

/**
 * Changes something of a project and tells the owners of its organization, both or neither. `change` answers what to tell, or
 * null where nothing changed. `page` is the page of the project at which the email points.
 */
export async function changeAndTell(
  projectId: string,
  change: (tx: ScopedDb, project: Project) => Promise<{ notice: Notice; page: string } | null>,
): Promise<void> {
  await unscopedTransaction(async (tx) => {
    const project = await tx.project.findUnique({
      where: { id: projectId },
      select: { organizationId: true, name: true },
    })
    const told = project && (await change(db({ project: { id: projectId } }, tx), project))
    // Without a mail server nothing is queued.
    if (!told || !systemRelay()) return
    const url = `${env().baseUrl}/projects/${encodeId("proj", projectId)}/${told.page}`
    await tell(project, { ...told.notice, url }, tx)
  })
}

async function tell(
  { organizationId, name }: Project,
  notice: Notice & { url: string },
  tx: Prisma.TransactionClient,
): Promise<void> {
  const owners = await tx.member.findMany({
    where: { organizationId, role: "owner" },
    select: { user: { select: { email: true } } },
  })
  const expiresAt = new Date(Date.now() + systemMailExpiresAfterMs)
  for (const { user } of owners) await queueSystemMail({ ...notice, to: user.email, project: name }, expiresAt, tx)
}
