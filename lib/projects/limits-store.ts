import { setDailySends } from "@/lib/access/people/organization-store"
import { unscoped } from "@/lib/platform/database/db"
import type { Scope } from "@/lib/platform/http/scope"
import type { Limits } from "@/lib/projects/rules"
import type { Prisma } from "@/prisma/generated/client"

/** The highest limits that the operator lets this project set. */
export async function ceilingsOf(scope: Scope): Promise<Limits> {
  const row = await unscoped().project.findUniqueOrThrow({
    where: { id: scope.project.id },
    select: {
      perSecondSendsCeiling: true,
      maxRecipientsCeiling: true,
      maxDomainsCeiling: true,
      maxApiKeysCeiling: true,
      maxWebhooksCeiling: true,
      organization: { select: { dailySendsCeiling: true } },
    },
  })
  return {
    perSecondSends: row.perSecondSendsCeiling,
    dailySends: row.organization.dailySendsCeiling,
    maxRecipientsPerMessage: row.maxRecipientsCeiling,
    maxDomains: row.maxDomainsCeiling,
    maxApiKeys: row.maxApiKeysCeiling,
    maxWebhooks: row.maxWebhooksCeiling,
  }
}

/** Sets the operator's ceilings, and the limits with them; null when there is no such project. */
export async function setLimits(
  projectId: string,
  { perSecond, perDay }: { perSecond?: number; perDay?: number },
  on: Prisma.TransactionClient = unscoped(),
): Promise<{ organizationId: string } | null> {
  const [project] = await on.project.updateManyAndReturn({
    where: { id: projectId },
    data: perSecond === undefined ? {} : { perSecondSends: perSecond, perSecondSendsCeiling: perSecond },
    select: { organizationId: true },
  })
  if (project && perDay !== undefined)
    await setDailySends(project.organizationId, { dailySends: perDay, dailySendsCeiling: perDay }, on)
  return project ?? null
}
