import { pool, prisma, transaction, type Queryable } from "@/lib/platform/db"
import { UNIQUE_VIOLATION, sqlState } from "@/lib/platform/sql-errors"
import { newId } from "@/lib/platform/ids"
import { offset, type PageRequest } from "@/lib/platform/paging"
import { present } from "@/lib/platform/schema"
import type { OrganizationScope, Scope } from "@/lib/platform/scope"
import { brandColumns, brandingOf, type BrandRow } from "@/lib/projects/brand"
import type { Limits } from "@/lib/projects/rules"
import type { Project } from "@/lib/projects/schema"

const shape = {
  id: true, name: true, slug: true, region: true, suspended_at: true, suspension_reason: true, deleted_at: true,
  per_second_sends: true, max_recipients: true, max_domains: true, max_api_keys: true, max_webhooks: true,
  open_tracking: true, click_tracking: true, read_engagement: true, scroll_depth: true, unsubscribe_tracking: true,
  created_at: true, updated_at: true,
  organization: { select: { daily_sends: true } },
} as const

/** A logo may weigh more than all the rest: it is read with a single project alone. */
const shapeWithBrand = { ...shape, brand_name: true, brand_color: true, brand_logo: true, brand_logo_type: true } as const

export async function findProject(scope: Scope): Promise<Project | null> {
  return projectById(scope.project.id)
}

/** A project that is known to be the caller's: in scope, or just made. */
export async function projectById(projectId: string): Promise<Project | null> {
  const row = await prisma().projects.findUnique({ where: { id: projectId }, select: shapeWithBrand })
  return row && toProject(row)
}

export async function listProjects(scope: OrganizationScope, request: PageRequest): Promise<{ data: Project[]; total: number }> {
  const where = { organization_id: { in: [...scope.organizationIds] }, deleted_at: null }
  const [rows, total] = await Promise.all([
    prisma().projects.findMany({ where, select: shape, orderBy: { id: "desc" }, skip: offset(request), take: request.size }),
    prisma().projects.count({ where }),
  ])
  return { data: rows.map(toProject), total }
}

/** The highest limits that the operator lets this project set. */
export async function ceilingsOf(scope: Scope): Promise<Limits> {
  const row = await prisma().projects.findUniqueOrThrow({
    where: { id: scope.project.id },
    select: {
      per_second_sends_ceiling: true, max_recipients_ceiling: true, max_domains_ceiling: true, max_api_keys_ceiling: true,
      max_webhooks_ceiling: true, organization: { select: { daily_sends_ceiling: true } },
    },
  })
  return {
    perSecondSends: row.per_second_sends_ceiling,
    dailySends: row.organization.daily_sends_ceiling,
    maxRecipientsPerMessage: row.max_recipients_ceiling,
    maxDomains: row.max_domains_ceiling,
    maxApiKeys: row.max_api_keys_ceiling,
    maxWebhooks: row.max_webhooks_ceiling,
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
    const row = await prisma().projects.update({
      where: { id: scope.project.id },
      data: {
        ...(edit.name !== undefined && { name: edit.name }),
        ...(edit.slug !== undefined && { slug: edit.slug }),
        ...(limits && {
          per_second_sends: limits.perSecondSends,
          max_recipients: limits.maxRecipientsPerMessage,
          max_domains: limits.maxDomains,
          max_api_keys: limits.maxApiKeys,
          max_webhooks: limits.maxWebhooks,
          organization: { update: { daily_sends: limits.dailySends } },
        }),
        ...(tracking && {
          open_tracking: tracking.openTracking,
          click_tracking: tracking.clickTracking,
          read_engagement: tracking.readEngagement,
          scroll_depth: tracking.scrollDepth,
          unsubscribe_tracking: tracking.unsubscribeTracking,
        }),
        ...brandColumns(edit.branding),
        updated_at: new Date(),
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
      per_second_sends_ceiling = coalesce($2, per_second_sends_ceiling), updated_at = now() WHERE id = $1`,
    [projectId, limits.perSecond ?? null],
  )
  await pool().query(
    `UPDATE organizations SET daily_sends = coalesce($2, daily_sends), daily_sends_ceiling = coalesce($2, daily_sends_ceiling),
      updated_at = now() WHERE id = (SELECT organization_id FROM projects WHERE id = $1)`,
    [projectId, limits.perDay ?? null],
  )
  return Boolean(rowCount)
}

type Row = {
  id: string; name: string; slug: string; region: string; suspended_at: Date | null; suspension_reason: string | null
  deleted_at: Date | null; per_second_sends: number; max_recipients: number; max_domains: number; max_api_keys: number
  max_webhooks: number; open_tracking: boolean; click_tracking: boolean; read_engagement: boolean; scroll_depth: boolean
  unsubscribe_tracking: boolean; created_at: Date; updated_at: Date; organization: { daily_sends: number }
} & BrandRow

function toProject(row: Row): Project {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    region: row.region,
    status: row.deleted_at ? "deleting" : row.suspended_at ? "suspended" : "active",
    suspensionReason: present(row.suspension_reason),
    limits: {
      perSecondSends: row.per_second_sends,
      dailySends: row.organization.daily_sends,
      maxRecipientsPerMessage: row.max_recipients,
      maxDomains: row.max_domains,
      maxApiKeys: row.max_api_keys,
      maxWebhooks: row.max_webhooks,
    },
    trackingSettings: {
      openTracking: row.open_tracking,
      clickTracking: row.click_tracking,
      readEngagement: row.read_engagement,
      scrollDepth: row.scroll_depth,
      unsubscribeTracking: row.unsubscribe_tracking,
    },
    branding: brandingOf(row),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

export type Founding = { email: string; name?: string; passwordHash: string; organization: string; project: Omit<ProjectPlan, "organizationId"> }
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
  await on.query("INSERT INTO members (organization_id, user_id, role) VALUES ($1, $2, 'owner')", [organizationId, userId])
  const projectId = await addProject({ ...plan.project, organizationId }, on)
  if (!projectId) throw new Error("A fresh organization already has a project of that slug.")
  await on.query(
    "INSERT INTO installation (id, completed_at) VALUES (1, now()) ON CONFLICT (id) DO UPDATE SET completed_at = coalesce(installation.completed_at, now()), setup_token_hash = NULL",
  )
  return { userId, organizationId, projectId }
}

/** Lets the projects of an organization register domains outside their home region, or no longer. */
export async function entitle(organizationId: string, multiRegion: boolean): Promise<boolean> {
  const { rowCount } = await pool().query("UPDATE organizations SET multi_region = $2, updated_at = now() WHERE id = $1", [
    organizationId,
    multiRegion,
  ])
  return Boolean(rowCount)
}
