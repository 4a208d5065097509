import { pool, transaction, unscoped, type Queryable } from "@/lib/platform/database/db"
import { UNIQUE_VIOLATION, sqlState } from "@/lib/platform/database/sql-errors"
import { newId } from "@/lib/platform/ids"
import { offset, type PageRequest } from "@/lib/platform/http/paging"
import { present } from "@/lib/platform/schema"
import type { OrganizationScope, Scope } from "@/lib/platform/http/scope"
import { brandColumns, brandingOf, type BrandRow } from "@/lib/projects/brand"
import type { Limits } from "@/lib/projects/rules"
import type { Project } from "@/lib/projects/schema"

const shape = {
  id: true,
  name: true,
  slug: true,
  region: true,
  suspendedAt: true,
  suspensionReason: true,
  deletedAt: true,
  perSecondSends: true,
  maxRecipients: true,
  maxDomains: true,
  maxApiKeys: true,
  maxWebhooks: true,
  openTracking: true,
  clickTracking: true,
  readEngagement: true,
  scrollDepth: true,
  unsubscribeTracking: true,
  createdAt: true,
  updatedAt: true,
  organization: { select: { dailySends: true } },
} as const

/** A logo may weigh more than all the rest: it is read with a single project alone. */
const shapeWithBrand = { ...shape, brandName: true, brandColor: true, brandLogo: true, brandLogoType: true } as const

export async function findProject(scope: Scope): Promise<Project | null> {
  return projectById(scope.project.id)
}

/** A project that is known to be the caller's: in scope, or just made. */
export async function projectById(projectId: string): Promise<Project | null> {
  const row = await unscoped().project.findUnique({ where: { id: projectId }, select: shapeWithBrand })
  return row && toProject(row)
}

export async function listProjects(
  scope: OrganizationScope,
  request: PageRequest,
): Promise<{ data: Project[]; total: number }> {
  const where = { organizationId: { in: [...scope.organizationIds] }, deletedAt: null }
  const [rows, total] = await Promise.all([
    unscoped().project.findMany({
      where,
      select: shape,
      orderBy: { id: "desc" },
      skip: offset(request),
      take: request.size,
    }),
    unscoped().project.count({ where }),
  ])
  return { data: rows.map(toProject), total }
}

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

export type ProjectEdit = {
  name?: string
  slug?: string
  limits?: Limits
  trackingSettings?: Project["trackingSettings"]
  branding?: Project["branding"]
}

/** Changes what is given; null when the slug is taken. */
export async function updateProject(scope: Scope, edit: ProjectEdit): Promise<Project | null> {
  const { limits, trackingSettings: tracking } = edit
  try {
    const row = await unscoped().project.update({
      where: { id: scope.project.id },
      data: {
        ...(edit.name !== undefined && { name: edit.name }),
        ...(edit.slug !== undefined && { slug: edit.slug }),
        ...(limits && {
          perSecondSends: limits.perSecondSends,
          maxRecipients: limits.maxRecipientsPerMessage,
          maxDomains: limits.maxDomains,
          maxApiKeys: limits.maxApiKeys,
          maxWebhooks: limits.maxWebhooks,
          organization: { update: { dailySends: limits.dailySends } },
        }),
        ...(tracking && {
          openTracking: tracking.openTracking,
          clickTracking: tracking.clickTracking,
          readEngagement: tracking.readEngagement,
          scrollDepth: tracking.scrollDepth,
          unsubscribeTracking: tracking.unsubscribeTracking,
        }),
        ...brandColumns(edit.branding),
      },
      select: shapeWithBrand,
    })
    return toProject(row)
  } catch (error) {
    if (sqlState(error) === UNIQUE_VIOLATION) return null
    throw error
  }
}

export type ProjectPlan = { organizationId: string; name: string; slug: string; region: string }

/** Adds a project with its full send allowance; null when the organization has one of that slug. */
export async function addProject(plan: ProjectPlan, on?: Queryable): Promise<string | null> {
  const id = newId()
  const insert = async (client: Queryable) => {
    const { rowCount } = await client.query(
      `INSERT INTO projects (id, organization_id, name, slug, region) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (organization_id, slug) DO NOTHING`,
      [id, plan.organizationId, plan.name, plan.slug, plan.region],
    )
    if (rowCount) await client.query("INSERT INTO send_allowances (project_id) VALUES ($1)", [id])
    return rowCount ? id : null
  }
  return on ? insert(on) : transaction(insert)
}

/** Sets the operator's ceilings, and the limits with them. */
export async function setLimits(projectId: string, limits: { perSecond?: number; perDay?: number }): Promise<boolean> {
  const { rowCount } = await pool().query(
    `UPDATE projects SET per_second_sends = coalesce($2, per_second_sends),
      per_second_sends_ceiling = coalesce($2, per_second_sends_ceiling) WHERE id = $1`,
    [projectId, limits.perSecond ?? null],
  )
  await pool().query(
    `UPDATE organizations SET daily_sends = coalesce($2, daily_sends), daily_sends_ceiling = coalesce($2, daily_sends_ceiling)
      WHERE id = (SELECT organization_id FROM projects WHERE id = $1)`,
    [projectId, limits.perDay ?? null],
  )
  return Boolean(rowCount)
}

type Row = {
  id: string
  name: string
  slug: string
  region: string
  suspendedAt: Date | null
  suspensionReason: string | null
  deletedAt: Date | null
  perSecondSends: number
  maxRecipients: number
  maxDomains: number
  maxApiKeys: number
  maxWebhooks: number
  openTracking: boolean
  clickTracking: boolean
  readEngagement: boolean
  scrollDepth: boolean
  unsubscribeTracking: boolean
  createdAt: Date
  updatedAt: Date
  organization: { dailySends: number }
} & BrandRow

function toProject(row: Row): Project {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    region: row.region,
    status: row.deletedAt ? "deleting" : row.suspendedAt ? "suspended" : "active",
    suspensionReason: present(row.suspensionReason),
    limits: {
      perSecondSends: row.perSecondSends,
      dailySends: row.organization.dailySends,
      maxRecipientsPerMessage: row.maxRecipients,
      maxDomains: row.maxDomains,
      maxApiKeys: row.maxApiKeys,
      maxWebhooks: row.maxWebhooks,
    },
    trackingSettings: {
      openTracking: row.openTracking,
      clickTracking: row.clickTracking,
      readEngagement: row.readEngagement,
      scrollDepth: row.scrollDepth,
      unsubscribeTracking: row.unsubscribeTracking,
    },
    branding: brandingOf(row),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  }
}

export type Founding = {
  email: string
  name?: string
  passwordHash: string
  organization: string
  project: Omit<ProjectPlan, "organizationId">
}
export type Founded = { userId: string; organizationId: string; projectId: string }

/** Makes an owner, their organization and its first project, all or nothing; null when the address has a user already. */
export async function found(plan: Founding, on: Queryable): Promise<Founded | null> {
  const [userId, organizationId] = [newId(), newId()]
  const added = await on.query(
    // The operator of the machine vouches for this address.
    "INSERT INTO users (id, email, name, password_hash, email_proven_at) VALUES ($1, $2, $3, $4, now()) ON CONFLICT (email) DO NOTHING",
    [userId, plan.email, plan.name ?? null, plan.passwordHash],
  )
  if (!added.rowCount) return null
  await on.query("INSERT INTO organizations (id, name) VALUES ($1, $2)", [organizationId, plan.organization])
  await on.query("INSERT INTO members (organization_id, user_id, role) VALUES ($1, $2, 'owner')", [
    organizationId,
    userId,
  ])
  const projectId = await addProject({ ...plan.project, organizationId }, on)
  if (!projectId) throw new Error("A fresh organization already has a project of that slug.")
  await on.query(
    "INSERT INTO installation (id, completed_at) VALUES (1, now()) ON CONFLICT (id) DO UPDATE SET completed_at = coalesce(installation.completed_at, now()), setup_token_hash = NULL",
  )
  return { userId, organizationId, projectId }
}

/** Lets the projects of an organization register domains outside their home region, or no longer. */
export async function entitle(organizationId: string, multiRegion: boolean): Promise<boolean> {
  const { rowCount } = await pool().query("UPDATE organizations SET multi_region = $2 WHERE id = $1", [
    organizationId,
    multiRegion,
  ])
  return Boolean(rowCount)
}
