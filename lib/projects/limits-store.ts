import { setDailySends } from "@/lib/access/people/organization-store"
import { unscoped } from "@/lib/platform/database/db"
import type { Scope } from "@/lib/platform/http/scope"
import type { Limits } from "@/lib/projects/rules"
import type { Prisma } from "@/prisma/generated/client"

/** The limits of a project, and the highest ones that the operator lets it set; null when there is no such project. */
export async function limitsOf(scope: Scope): Promise<{ limits: Limits; ceilings: Limits } | null> {
  const row = await unscoped().project.findUnique({
    where: { id: scope.project.id },
    select: {
      perSecondSends: true,
      maxRecipients: true,
      maxDomains: true,
      maxApiKeys: true,
      maxWebhooks: true,
      perSecondSendsCeiling: true,
      maxRecipientsCeiling: true,
      maxDomainsCeiling: true,
      maxApiKeysCeiling: true,
      maxWebhooksCeiling: true,
      organization: { select: { dailySends: true, dailySendsCeiling: true } },
    },
  })
  return (
    row && {
      limits: limitsIn(row),
      ceilings: {
        perSecondSends: row.perSecondSendsCeiling,
        dailySends: row.organization.dailySendsCeiling,
        maxRecipientsPerMessage: row.maxRecipientsCeiling,
        maxDomains: row.maxDomainsCeiling,
        maxApiKeys: row.maxApiKeysCeiling,
        maxWebhooks: row.maxWebhooksCeiling,
      },
    }
  )
}

type LimitColumns = Pick<
  Prisma.ProjectGetPayload<true>,
  "perSecondSends" | "maxRecipients" | "maxDomains" | "maxApiKeys" | "maxWebhooks"
> & { organization: { dailySends: number } }

/** The limits of a project's row. */
export function limitsIn(row: LimitColumns): Limits {
  return {
    perSecondSends: row.perSecondSends,
    dailySends: row.organization.dailySends,
    maxRecipientsPerMessage: row.maxRecipients,
    maxDomains: row.maxDomains,
    maxApiKeys: row.maxApiKeys,
    maxWebhooks: row.maxWebhooks,
  }
}

/** Messages a second that a project may send; null when there is no such project. */
export async function sendRateOf(scope: Scope): Promise<number | null> {
  const where = { id: scope.project.id }
  return (await unscoped().project.findUnique({ where, select: { perSecondSends: true } }))?.perSecondSends ?? null
}

type OfProject = Exclude<keyof Limits, "dailySends">

/** The columns of each limit of a project; the daily quota is the organization's. */
const columnsOf = {
  perSecondSends: (value) => ({ perSecondSends: value, perSecondSendsCeiling: value }),
  maxRecipientsPerMessage: (value) => ({ maxRecipients: value, maxRecipientsCeiling: value }),
  maxDomains: (value) => ({ maxDomains: value, maxDomainsCeiling: value }),
  maxApiKeys: (value) => ({ maxApiKeys: value, maxApiKeysCeiling: value }),
  maxWebhooks: (value) => ({ maxWebhooks: value, maxWebhooksCeiling: value }),
} as const satisfies Record<OfProject, (value: number) => Prisma.ProjectUpdateManyMutationInput>

/** Sets the operator's ceilings, and the limits with them; null when there is no such project. */
export async function setLimits(
  projectId: string,
  { dailySends, ...ofProject }: Partial<Limits>,
  on: Prisma.TransactionClient = unscoped(),
): Promise<{ organizationId: string } | null> {
  const data = Object.entries(ofProject).map(([name, value]) => columnsOf[name as OfProject](value))
  const [project] = await on.project.updateManyAndReturn({
    where: { id: projectId },
    data: Object.assign({}, ...data) as Prisma.ProjectUpdateManyMutationInput,
    select: { organizationId: true },
  })
  if (project && dailySends !== undefined)
    await setDailySends(project.organizationId, { dailySends, dailySendsCeiling: dailySends }, on)
  return project ?? null
}
