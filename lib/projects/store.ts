import { setDailySends } from "@/lib/access/people/organization-store"
import { unscoped, unscopedTransaction } from "@/lib/platform/database/db"
import { nullIfTaken } from "@/lib/platform/database/sql-errors"
import { removalOf } from "@/lib/platform/database/deleted-projects"
import { shown } from "@/lib/platform/database/shape"
import { counted, sliceOf, type PageRequest } from "@/lib/platform/http/paging"
import { present } from "@/lib/platform/schema"
import type { OrganizationScope, Scope } from "@/lib/platform/http/scope"
import { readLogo } from "@/lib/projects/brand-rules"
import { limitsIn } from "@/lib/projects/limits-store"
import type { Limits } from "@/lib/projects/rules"
import type { Project } from "@/lib/projects/schema"
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

/** A project that is known to be the caller's: in scope, or just made. */
export async function projectById(projectId: string): Promise<Project | null> {
  const row = await unscoped().project.findUnique({ where: { id: projectId }, select: shape })
  return row && toProject(row, brandingOf(row))
}

/** The organization of any project that is not deleted; for the operator, who has no scope. */
export async function organizationOf(projectId: string, on: Tx = unscoped()): Promise<string | null> {
  const where = { id: projectId, deletedAt: null }
  return (await on.project.findUnique({ where, select: { organizationId: true } }))?.organizationId ?? null
}

export async function listProjects(
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
}

/** Changes what is given; null when the slug is taken. */
export async function updateProject(scope: Scope, edit: ProjectEdit): Promise<Project | null> {
  const { id, organizationId } = scope.project
  return nullIfTaken(
    unscopedTransaction(async (tx) => {
      if (edit.limits) await setDailySends(organizationId, { dailySends: edit.limits.dailySends }, tx)
      const row = await tx.project.update({ where: { id }, data: columnsOf(edit), select: shape })
      return toProject(row, brandingOf(row))
    }),
  )
}

function columnsOf({ name, slug, limits, trackingSettings: tracking, branding }: ProjectEdit) {
  return {
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
