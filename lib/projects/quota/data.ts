import { addOrganizationAudit } from "@/lib/access/audit/data"
import { setDailySends } from "@/lib/access/people/data"
import { tellOwners } from "@/lib/access/system-mail/data"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { pool, unscoped, unscopedTransaction } from "@/lib/platform/database/db"
import { db, type ScopedDb } from "@/lib/platform/database/scoped-db"
import type { Scope } from "@/lib/platform/http/scope"
import { encodeId } from "@/lib/platform/ids"
import { dayMs } from "@/lib/platform/time"
import type { UsageReading } from "@/lib/projects/rules"
import { type Limits, storageFull } from "@/lib/projects/schema"
import { Prisma } from "@/prisma/generated/client"

/** The limits of a project, and the highest ones that the operator lets it set; null when there is no such project. */
export async function limitsOf(
  scope: Scope,
  on: Prisma.TransactionClient = unscoped(),
): Promise<{ limits: Limits; ceilings: Limits } | null> {
  const row = await on.project.findUnique({
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

export type Used = { maxDomains: number; maxApiKeys: number; maxWebhooks: number }

/** How many things of each limited kind a project has now. */
export async function usedOf({ project: { id: projectId } }: Scope): Promise<Used> {
  const all = unscoped()
  const now = await databaseTime()
  const [maxDomains, maxApiKeys, maxWebhooks] = await Promise.all([
    all.domain.count({ where: { projectId } }),
    all.apiKey.count({ where: { projectId, revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] } }),
    all.webhook.count({ where: { projectId, deletedAt: null } }),
  ])
  return { maxDomains, maxApiKeys, maxWebhooks }
}

/** How many emails a project has accepted, ever. */
export async function countAcceptedEmails(scope: Scope): Promise<number> {
  const within = db(scope)
  const [allowance, chunks] = await Promise.all([
    within.sendAllowance.findFirst({ select: { emails: true } }),
    within.allowanceChunk.aggregate({ _sum: { emails: true } }),
  ])
  return Number(allowance?.emails ?? 0n) + Number(chunks._sum.emails ?? 0n)
}

/** Bytes of content: of emails, broadcasts, templates, sandbox messages, webhook deliveries, pictures and files of imports. */
export type Storage = { usedBytes: number; limitBytes: number }

/** What a project stores, as it was counted up to a second ago; null when there is no such project. */
export async function storageOf(scope: Scope): Promise<Storage | null> {
  const row = await unscoped().project.findUnique({
    where: { id: scope.project.id },
    select: { maxStoredBytes: true, sendAllowance: { select: { storedBytes: true } } },
  })
  return row && { usedBytes: Number(row.sendAllowance?.storedBytes ?? 0n), limitBytes: Number(row.maxStoredBytes) }
}

/** Octets that a body takes where it is stored. */
export function bodyBytesOf({ html, text }: { html?: string | undefined; text?: string | undefined }): number {
  return Buffer.byteLength(html ?? "") + Buffer.byteLength(text ?? "")
}

/** @throws storageFull where a project has no room for this many bytes more; what takes no more room is never refused */
export async function refuseStorageFull(scope: Scope, bytes: number): Promise<void> {
  if (bytes <= 0) return
  const storage = await storageOf(scope)
  if (storage && storage.usedBytes + bytes > storage.limitBytes) throw storageFull()
}

/** Counts what is stored outside the database, or with a negative number what was removed there. */
export async function noteStoredBytes(projectId: string, bytes: number): Promise<void> {
  if (bytes !== 0) await unscoped().storedByteDelta.createMany({ data: { projectId, bytes } })
}

/** Sets how much a project may store; for the operator. */
export async function setStorageLimit(
  projectId: string,
  limitBytes: number,
  on: Prisma.TransactionClient,
): Promise<void> {
  await on.project.updateMany({ where: { id: projectId }, data: { maxStoredBytes: limitBytes } })
}

type Work<T> = (allowance: Allowance, tx: ScopedDb) => Promise<{ cost: number; result: T }>

/**
 * Runs `work` in a transaction that holds the allowance of a project, which then pays the cost. Null where the project does
 * not exist.
 */
export async function withAllowance<T>(projectId: string, work: Work<T>): Promise<T | null> {
  return unscopedTransaction(async (tx) => {
    const allowance = await lockAllowance(projectId, tx)
    if (!allowance) return null
    const scoped = db({ project: { id: projectId } }, tx)
    const { cost, result } = await work(allowance, scoped)
    if (cost > 0) {
      const { organizationId, day, now, tokens } = allowance
      await tx.quotaDay.updateMany({ where: { organizationId, day }, data: { used: { increment: cost } } })
      await scoped.sendAllowance.updateMany({ data: { tokens: tokens - cost, refilledAt: now } })
    }
    return result
  })
}

const minuteMs = 60_000
/** Notes once a minute what each organization has sent of its day; several workers write the same minute once. */
export async function markQuotas(): Promise<void> {
  const now = (await databaseTime()).getTime()
  const day = new Date(now - (now % dayMs))
  const all = unscoped()
  // Of one moment: a chunk that is set aside in between would count twice.
  const [used, chunks] = await all.$transaction(
    [
      all.quotaDay.findMany({ where: { day }, select: { organizationId: true, used: true } }),
      all.allowanceChunk.groupBy({
        by: ["organizationId"],
        where: { day },
        orderBy: { organizationId: "asc" },
        _sum: { messages: true },
      }),
    ],
    { isolationLevel: "RepeatableRead" },
  )
  const setAside = new Map(chunks.map(({ organizationId, _sum }) => [organizationId, _sum?.messages ?? 0]))
  const at = new Date(now - (now % minuteMs))
  await unscoped().quotaMark.createMany({
    data: used.map(({ organizationId, used: taken }) => ({
      ...{ organizationId, at, used: Math.max(0, taken - (setAside.get(organizationId) ?? 0)) },
    })),
    skipDuplicates: true,
  })
}

/** Tells the owners once: the row of the notice decides between workers that have read the same crossing. */
export async function tellOfQuota({
  organizationId,
  projectId,
  project,
  day,
  resetsAt,
  ...crossing
}: QuotaCrossing): Promise<void> {
  const { organization, used, daily, ceiling } = crossing
  const percent = crossing.percent === 100 ? 100 : 80
  await unscopedTransaction(async (tx) => {
    const { count } = await tx.quotaNotice.createMany({ data: { organizationId, day, percent }, skipDuplicates: true })
    if (!count) return
    const action = percent === 100 ? "organization.quota_used_up" : "organization.quota_nearly_used"
    const changes = { day: day.toISOString().slice(0, 10), used, dailySends: daily }
    await addOrganizationAudit(
      organizationId,
      { action, target: encodeId("org", organizationId), name: crossing.organization, changes },
      tx,
    )
    const counts = { organization, percent, used, daily, ceiling } as const
    const notice = { kind: "quota-used", ...counts, resetsAt: resetsAt.toISOString() } as const
    await tellOwners({ id: projectId, organizationId, name: project }, { notice, page: "settings" }, tx)
  })
}

// Raw SQL from here on: row locks, the database's clock and day in one statement, comparisons of two tables, and
// functions.

/** How many sends the bucket of a project p holds, as `accept_emails` reckons it. */
const bucketSize = Prisma.sql`greatest(100, 20 * p.per_second_sends::float8)`

/** What the organization of a day q has sent: without what is set aside in chunks, which counts as used there. */
const sentOfDay = Prisma.sql`(q.used - coalesce((SELECT sum(c.messages) FROM allowance_chunks c
  WHERE c.organization_id = q.organization_id AND c.day = q.day), 0))::int`

/** What an organization and a project may still send; `day` is the UTC day and `now` the time of the transaction. */
type Allowance = {
  organizationId: string
  used: number
  daily: number
  tokens: number
  rate: number
  day: Date
  now: Date
}

async function lockAllowance(projectId: string, tx: Prisma.TransactionClient): Promise<Allowance | null> {
  const [allowance] = await tx.$queryRaw<Allowance[]>`
    SELECT organization_id AS "organizationId", day, used, daily, rate, now, tokens FROM lock_allowance(${projectId}::uuid)`
  return allowance ?? null
}

export type QuotaNow = {
  now: Date
  /** Sends of the organization since midnight UTC. */
  used: number
  /** The first mark of the last hour, if it is of today. */
  earlier: UsageReading | null
  /** The bucket of the project's sends; of a larger one, as much as 32 bits tell. */
  burst: { size: number; used: number }
}

const int32Max = 2 ** 31 - 1

/** What is used of the allowances now, by the database's clock. */
export async function quotaNow({ project }: Scope): Promise<QuotaNow | null> {
  type Row = { now: Date; used: number; markedAt: Date | null; marked: number | null; size: number; taken: number }
  const [row] = await unscoped().$queryRaw<Row[]>`
    SELECT now()::timestamptz(3) AS now, coalesce(${sentOfDay}, 0) AS used, m.at AS "markedAt", m.used AS marked, b.size,
        greatest(0, ceil(b.size - a.tokens - coalesce((SELECT sum(c.tokens) FROM allowance_chunks c WHERE c.project_id = p.id), 0)
          - greatest(0, extract(epoch FROM now() - a.refilled_at))::float8
          * p.per_second_sends)) AS taken
      FROM projects p JOIN send_allowances a ON a.project_id = p.id
        CROSS JOIN LATERAL (SELECT least(${int32Max}, ${bucketSize})::int AS size) b
        CROSS JOIN LATERAL (SELECT (now() AT TIME ZONE 'UTC')::date AS day) d
        LEFT JOIN quota_days q ON q.organization_id = p.organization_id AND q.day = d.day
        LEFT JOIN LATERAL (SELECT at, used FROM quota_marks
          WHERE organization_id = p.organization_id
            AND at >= greatest(now() - interval '1 hour', d.day::timestamp AT TIME ZONE 'UTC')
          ORDER BY at LIMIT 1) m ON true
      WHERE p.id = ${project.id}::uuid`
  if (!row) return null
  const { now, used, markedAt, marked, size, taken } = row
  const earlier = markedAt && marked !== null ? { at: markedAt, used: marked } : null
  return { now, used, earlier, burst: { size, used: Math.min(size, taken) } }
}

/** An organization to notify about its use of today's quota, and the project to link to. */
type QuotaCrossing = {
  organizationId: string
  organization: string
  projectId: string
  project: string
  /** 80 or 100. */
  percent: number
  used: number
  daily: number
  ceiling: number
  day: Date
  resetsAt: Date
}

/**
 * Up to `limit` organizations that have crossed 80 or 100 percent today and were told nothing of it. Of one that has crossed
 * both since the last pass only the quota's end is news, and one without an active project is not told. It locks nothing
 * that sends wait for.
 */
export async function quotaCrossings(limit: number): Promise<QuotaCrossing[]> {
  return unscoped().$queryRaw<QuotaCrossing[]>`
    SELECT q.organization_id AS "organizationId", o.name AS organization, p.id AS "projectId", p.name AS project, c.percent,
        s.sent AS used, o.daily_sends AS daily, o.daily_sends_ceiling AS ceiling, q.day,
        ((q.day + 1)::timestamp AT TIME ZONE 'UTC')::timestamptz(3) AS "resetsAt"
      FROM quota_days q
      JOIN organizations o ON o.id = q.organization_id
      CROSS JOIN LATERAL (SELECT ${sentOfDay} AS sent) s
      CROSS JOIN LATERAL (SELECT CASE WHEN s.sent >= o.daily_sends THEN 100 ELSE 80 END AS percent) c
      CROSS JOIN LATERAL (
        SELECT id, name FROM projects
          WHERE organization_id = q.organization_id AND suspended_at IS NULL AND deleted_at IS NULL ORDER BY id LIMIT 1) p
      WHERE q.day = (now() AT TIME ZONE 'UTC')::date AND s.sent > 0 AND s.sent >= 0.8 * o.daily_sends
        AND NOT EXISTS (SELECT FROM quota_notices n
          WHERE n.day = q.day AND n.organization_id = q.organization_id AND n.percent >= c.percent)
      LIMIT ${limit}::int`
}

/**
 * Adds up to `limit` noted changes of stored bytes to the allowances of their projects; returns how many. For all projects.
 */
export async function foldStoredBytes(limit: number): Promise<number> {
  const { rows } = await pool().query<{ taken: number }>("SELECT fold_stored_bytes($1) AS taken", [limit])
  return rows[0]?.taken ?? 0
}
