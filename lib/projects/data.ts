import { changedFields, addAudit, addPersonAudit, addSystemAudit, type NewAuditEntry } from "@/lib/access/audit/data"
import { setDailySends } from "@/lib/access/people/data"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { type Queryable, transaction, unscoped, unscopedTransaction } from "@/lib/platform/database/db"
import { removalOf, restorableSince } from "@/lib/platform/database/deletion-sql"
import { lockProject, lockRow, takeLock, tryLock } from "@/lib/platform/database/locks-sql"
import { db } from "@/lib/platform/database/scoped-db"
import { shown } from "@/lib/platform/database/shape"
import { nullIfTaken } from "@/lib/platform/database/sql-errors"
import { counted, type PageRequest, sliceOf } from "@/lib/platform/http/paging"
import type { FieldProblem } from "@/lib/platform/http/problem"
import type { OrganizationScope, Scope, SessionPrincipal } from "@/lib/platform/http/scope"
import { encodeId, newId } from "@/lib/platform/ids"
import { present } from "@/lib/platform/schema"
import { readLogo } from "@/lib/projects/brand-rules"
import { limitsIn, limitsOf } from "@/lib/projects/quota/data"
import { defaultPool, limitsOverCeiling } from "@/lib/projects/rules"
import { limitReached, type Limits, type Project } from "@/lib/projects/schema"
import type { Prisma } from "@/prisma/generated/client"

const columns = {
  id: true,
  organizationId: false,
  name: true,
  slug: true,
  region: true,
  perSecondSends: true,
  perSecondSendsCeiling: false,
  maxRecipients: true,
  maxRecipientsCeiling: false,
  maxDomains: true,
  maxDomainsCeiling: false,
  maxApiKeys: true,
  maxApiKeysCeiling: false,
  maxWebhooks: true,
  maxWebhooksCeiling: false,
  maxStoredBytes: false,
  clickTracking: true,
  openTracking: true,
  readEngagement: true,
  scrollDepth: true,
  unsubscribeTracking: true,
  ambiguousPolicy: false,
  tls: true,
  egressPool: false,
  brandName: true,
  brandColor: true,
  brandLogo: true,
  brandLogoType: true,
  suspendedAt: true,
  suspensionReason: true,
  deletedAt: true,
  createdAt: true,
  updatedAt: true,
} as const satisfies Record<Prisma.ProjectScalarFieldEnum, boolean>

const shape = { ...columns, organization: { select: { dailySends: true } } } as const
/** A logo may weigh more than all the rest, so lists leave branding out. */
const shapeInList = { ...shape, brandName: false, brandColor: false, brandLogo: false, brandLogoType: false } as const

type Tx = Prisma.TransactionClient
type Row = Prisma.ProjectGetPayload<{ select: typeof shape }>
type BrandRow = Pick<Row, "brandName" | "brandColor" | "brandLogo" | "brandLogoType">

export async function findProject(scope: Scope): Promise<Project | null> {
  return projectById(scope.project.id)
}

// Pools, which only the operator sees

const projectsOfPoolsMax = 1_000

/** Projects of all organizations whose email leaves from another pool than the default one. */
export function projectsWithPools(): Promise<{ id: string; name: string; egressPool: string }[]> {
  return unscoped().project.findMany({
    where: { egressPool: { not: defaultPool }, deletedAt: null },
    select: { id: true, name: true, egressPool: true },
    orderBy: [{ egressPool: "asc" }, { name: "asc" }],
    take: projectsOfPoolsMax,
  })
}

type PoolProject = { organizationId: string; name: string }

/** Null when there is no such project. `audit` runs in the same transaction. */
export function setEgressPool(
  projectId: string,
  egressPool: string,
  audit: (project: PoolProject, tx: Tx) => Promise<void>,
): Promise<PoolProject | null> {
  return unscopedTransaction(async (tx) => {
    const [project] = await tx.project.updateManyAndReturn({
      where: { id: projectId, deletedAt: null },
      data: { egressPool },
      select: { organizationId: true, name: true },
    })
    if (!project) return null
    await audit(project, tx)
    return project
  })
}

/** A project that is known to be the caller's: in scope, or just made. */
export async function projectById(projectId: string): Promise<Project | null> {
  const row = await unscoped().project.findUnique({ where: { id: projectId }, select: shape })
  return row && toProject(row, brandingOf(row))
}

/** The organization of any project that is not deleted; for the operator, who has no scope. */
export async function allProjectIds(): Promise<string[]> {
  return (await unscoped().project.findMany({ select: { id: true } })).map(({ id }) => id)
}

const undeleted = { where: { deletedAt: null } }
const countedInProject = {
  ...{ segments: undeleted, topics: undeleted, contactProperties: undeleted },
  ...{ sandboxMessages: true, suppressions: true, apiKeys: { where: { revokedAt: null } } },
} as const

/** How many of what is counted where it stands a project has, in one statement, as every page of the dashboard asks for it; null without it. */
export async function countWithinProject(projectId: string) {
  const project = await unscoped().project.findUnique({
    where: { id: projectId },
    select: { _count: { select: countedInProject } },
  })
  if (!project) return null
  const { sandboxMessages: sandbox, contactProperties: properties, ...rest } = project._count
  return { sandbox, properties, ...rest }
}

export async function organizationOf(projectId: string, on: Tx = unscoped()): Promise<string | null> {
  const where = { id: projectId, deletedAt: null }
  return (await on.project.findUnique({ where, select: { organizationId: true } }))?.organizationId ?? null
}

export async function readProjects(
  scope: OrganizationScope,
  request: PageRequest,
): Promise<{ data: Project[]; total: number }> {
  const where = { organizationId: { in: [...scope.organizationIds] }, deletedAt: null }
  const { rows, total } = await counted(
    request,
    unscoped().project.findMany({ where, select: shapeInList, orderBy: { id: "desc" }, ...sliceOf(request) }),
    () => unscoped().project.count({ where }),
  )
  return { data: rows.map((row) => toProject(row)), total }
}

export type ProjectEdit = {
  name?: string
  slug?: string
  limits?: Limits
  trackingSettings?: Project["trackingSettings"]
  branding?: Project["branding"]
  tls?: Project["tls"]
}

/** Changes what is given; null when the slug is taken, and the faults of limits that are above the operator's ceilings. */
export async function changeProject(
  scope: Scope,
  edit: ProjectEdit,
): Promise<Project | { faults: FieldProblem[] } | null> {
  const { id, organizationId } = scope.project
  return nullIfTaken(
    unscopedTransaction(async (tx) => {
      await lockProject(scope, tx)
      if (edit.limits) {
        // The ceilings as they are when the limits are stored: the operator may be lowering them.
        await lockRow("organizations", organizationId, tx)
        const known = await limitsOf(scope, tx)
        const faults = known ? limitsOverCeiling(edit.limits, known.ceilings) : []
        if (faults.length) return { faults }
      }
      const { dailySends } = await tx.organization.findUniqueOrThrow({
        where: { id: organizationId },
        select: { dailySends: true },
      })
      const before = await tx.project.findUniqueOrThrow({ where: { id } })
      if (edit.limits) await setDailySends(organizationId, { dailySends: edit.limits.dailySends }, tx)
      const columns = columnsOf(edit)
      const row = await tx.project.update({ where: { id }, data: columns, select: shape })
      const changes = changedFields({ ...before, dailySends }, { ...columns, dailySends: edit.limits?.dailySends })
      const entry = { action: "project.updated", target: encodeId("proj", id), name: row.name } as const
      await addAudit(scope, { ...entry, changes: withoutPicture(changes) }, db(scope, tx))
      return toProject(row, brandingOf(row))
    }),
  )
}

/** That the logo changed is said, not its bytes. */
function withoutPicture({ brandLogo, ...changes }: ReturnType<typeof changedFields>) {
  return brandLogo ? { ...changes, brandLogo: brandLogo.after === null ? "removed" : "replaced" } : changes
}

function columnsOf({ name, slug, limits, trackingSettings: tracking, branding, tls }: ProjectEdit) {
  return {
    ...(tls !== undefined && { tls }),
    ...(name !== undefined && { name }),
    ...(slug !== undefined && { slug }),
    ...(limits && {
      perSecondSends: limits.perSecondSends,
      maxRecipients: limits.maxRecipientsPerMessage,
      maxDomains: limits.maxDomains,
      maxApiKeys: limits.maxApiKeys,
      maxWebhooks: limits.maxWebhooks,
    }),
    ...tracking,
    ...brandColumns(branding),
  }
}

/** Omitted fields stay, null clears. */
function brandColumns({ name, color, logo }: Project["branding"] = {}) {
  const picture = typeof logo === "string" ? readLogo(logo) : null
  return {
    ...(name !== undefined && { brandName: name }),
    ...(color !== undefined && { brandColor: color && color.toLowerCase() }),
    ...(logo !== undefined && { brandLogo: picture && picture.bytes, brandLogoType: picture && picture.type }),
  }
}

type Shown = Omit<Row, keyof BrandRow>

function toProject(row: Shown, branding?: Project["branding"]): Project {
  return shown<Project>()({
    id: row.id,
    name: row.name,
    slug: row.slug,
    region: row.region,
    status: row.deletedAt ? "deleting" : row.suspendedAt ? "suspended" : "active",
    suspensionReason: present(row.suspensionReason),
    removedAt: row.deletedAt ? removalOf(row.deletedAt) : undefined,
    limits: limitsIn(row),
    trackingSettings: {
      openTracking: row.openTracking,
      clickTracking: row.clickTracking,
      readEngagement: row.readEngagement,
      scrollDepth: row.scrollDepth,
      unsubscribeTracking: row.unsubscribeTracking,
    },
    branding,
    tls: row.tls,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  })
}

/** The project's branding on pages for recipients; absent if none was chosen. */
function brandingOf(row: BrandRow): Project["branding"] {
  const logo = row.brandLogo && `data:${row.brandLogoType};base64,${Buffer.from(row.brandLogo).toString("base64")}`
  if (!row.brandName && !row.brandColor && !logo) return undefined
  return { name: row.brandName ?? undefined, color: row.brandColor ?? undefined, logo: logo ?? undefined }
}

export type ProjectPlan = { organizationId: string; name: string; slug: string; region: string }

/** Adds a project with its full send allowance; null when the organization has one of that slug. */
export async function addProject(plan: ProjectPlan, tx: Tx): Promise<string | null> {
  const id = newId()
  const { count } = await tx.project.createMany({ data: { id, ...plan }, skipDuplicates: true })
  if (!count) return null
  await tx.sendAllowance.createMany({ data: { projectId: id } })
  return id
}

/** Adds a project to an organization in the scope; null when its slug is taken there. @throws limitReached */
export async function createInOrganization(
  scope: OrganizationScope,
  by: SessionPrincipal,
  plan: ProjectPlan,
): Promise<Project | null> {
  const projectId = await unscopedTransaction(async (tx) => {
    await refuseTooMany(plan.organizationId, tx)
    const id = await addProject(plan, tx)
    if (!id) return null
    const { organizationId, name, ...changes } = plan
    const at = {
      organizationId,
      projectId: id,
      userId: by.userId,
      ip: scope.request.ip,
      requestId: encodeId("req", scope.request.id),
    }
    await addPersonAudit(at, { action: "project.created", target: encodeId("proj", id), name, changes }, tx)
    return id
  })
  return projectId === null ? null : projectById(projectId)
}

/** Projects that wait to be removed count: they still have what they stored. */
async function refuseTooMany(organizationId: string, tx: Tx): Promise<void> {
  await takeLock(`mailroom.projects ${organizationId}`, tx)
  const { maxProjects } = await tx.organization.findUniqueOrThrow({
    where: { id: organizationId },
    select: { maxProjects: true },
  })
  if ((await tx.project.count({ where: { organizationId } })) < maxProjects) return
  throw limitReached(
    `The organization has ${maxProjects} projects, which is its limit. Deleted projects count until they are removed. The operator can raise it with set-limits --projects.`,
  )
}

/** Deletes the projects of an organization and all that belongs to them. */
export async function deleteProjectsOf(organizationId: string): Promise<void> {
  await unscoped().project.deleteMany({ where: { organizationId } })
}

type Step = {
  /** The state in which the project has to be. */
  from: Prisma.ProjectWhereInput
  to: Prisma.ProjectUpdateManyMutationInput
  entry: NewAuditEntry
}

/** Suspends an active project; answers the project, whether it was suspended now or before. */
export function suspend(scope: Scope, reason?: string): Promise<Project | null> {
  return change(scope, (now) => ({
    from: { suspendedAt: null, deletedAt: null },
    to: { suspendedAt: now, suspensionReason: reason ?? null },
    entry: { action: "project.suspended", ...(reason && { changes: { reason } }) },
  }))
}

export function liftSuspension(scope: Scope): Promise<Project | null> {
  return change(scope, () => ({
    from: { suspendedAt: { not: null }, deletedAt: null },
    to: { suspendedAt: null, suspensionReason: null },
    entry: { action: "project.resumed" },
  }))
}

/** Deletes a project in a way that can be undone for some days. */
export function markProjectDeleted(scope: Scope): Promise<Project | null> {
  return change(scope, (now) => ({
    from: { deletedAt: null },
    to: { deletedAt: now },
    entry: { action: "project.deleted", changes: { removedAt: removalOf(now) } },
  }))
}

/** Null once the time to restore it is over: then it is being removed. */
export async function restore(scope: Scope): Promise<Project | null> {
  const project = await change(scope, (now) => ({
    from: { deletedAt: { gt: restorableSince(now) } },
    to: { deletedAt: null },
    entry: { action: "project.restored" },
  }))
  return project?.status === "deleting" ? null : project
}

/** Changes the state, by the database's clock, and records it; a project in another state is left as it is. */
async function change(scope: Scope, step: (now: Date) => Step): Promise<Project | null> {
  const { id } = scope.project
  await unscopedTransaction(async (tx) => {
    const { from, to, entry } = step(await databaseTime(tx))
    const { count } = await tx.project.updateMany({ where: { ...from, id }, data: to })
    const { name } = scope.project
    if (count) await addAudit(scope, { target: encodeId("proj", id), name, ...entry }, db(scope, tx))
  })
  return findProject(scope)
}

export type RemovableProject = { id: string; organizationId: string; name: string; slug: string }

const isOver = async () => ({ deletedAt: { lte: restorableSince(await databaseTime()) } })

const lockOf = (projectId: string) => `mailroom.remove_project${projectId}`

/** Projects that can no longer be restored, the one deleted first at the front. */
export async function removableProjects(): Promise<RemovableProject[]> {
  return unscoped().project.findMany({
    where: await isOver(),
    select: { id: true, organizationId: true, name: true, slug: true },
    orderBy: { deletedAt: "asc" },
    take: 10,
  })
}

/**
 * Runs one batch of the removal of a project in a transaction of its own; null where another worker does one at this moment.
 */
export function oneBatch<T>(projectId: string, work: (on: Queryable) => Promise<T>): Promise<{ done: T } | null> {
  return transaction(async (client) =>
    (await tryLock(lockOf(projectId), client)) ? { done: await work(client) } : null,
  )
}

/** Deletes the row of a project whose belongings are removed, and records it; false where another worker is at it. */
export async function removeEmptied({ id, organizationId, name, slug }: RemovableProject): Promise<boolean> {
  const over = await isOver()
  return unscopedTransaction(async (tx) => {
    if (!(await tryLock(lockOf(id), tx))) return false
    const { count } = await tx.project.deleteMany({ where: { id, ...over } })
    const entry = { action: "project.removed", target: encodeId("proj", id), name, changes: { slug } } as const
    if (count) await addSystemAudit({ organizationId, projectId: id }, entry, db({ project: { id } }, tx))
    return true
  })
}
