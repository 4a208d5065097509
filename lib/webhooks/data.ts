import type { z } from "zod"
import { changedFields, addAudit } from "@/lib/access/audit/data"
import { databaseTime, secondsAfter } from "@/lib/platform/database/clock-sql"
import { type Latency, latencyOf } from "@/lib/platform/database/bounded-reads-sql"
import { lockProject, lockRow, lockRows } from "@/lib/platform/database/locks-sql"
import { db, type InProject, type ScopedDb } from "@/lib/platform/database/scoped-db"
import { shown } from "@/lib/platform/database/shape"
import { lastHours, rowsOfHours } from "@/lib/platform/time"
import { counted, type PageRequest, sliceOf } from "@/lib/platform/http/paging"
import type { Scope } from "@/lib/platform/http/scope"
import { encodeId, newId } from "@/lib/platform/ids"
import { present } from "@/lib/platform/schema"
import { type SourceEvent, webhookTypeOf } from "@/lib/webhooks/payload"
import { type EventFilter, type Transformation } from "@/lib/webhooks/rules"
import { bytesOfSecret, textOfSecret } from "@/lib/webhooks/secret-rules"
import { retryingMax, type Webhook, type WebhookHealth, type WebhookHealthDetail } from "@/lib/webhooks/schema"
import { Prisma } from "@/prisma/generated/client"
import { open, seal } from "@/lib/platform/crypto"
import type { Random } from "@/lib/platform/io"

const shape = {
  id: true,
  projectId: true,
  name: true,
  url: true,
  events: true,
  filters: true,
  transformations: true,
  secret: false,
  formerSecret: false,
  formerSecretUntil: true,
  disabledAt: true,
  disabledReason: true,
  failingSince: true,
  lastFailedAt: false,
  deletedAt: false,
  createdAt: true,
  updatedAt: true,
} as const satisfies Record<Prisma.WebhookScalarFieldEnum, boolean>

type Row = Prisma.WebhookGetPayload<{ select: typeof shape }>

const live = { deletedAt: null }

/** Newest first. */
export async function readWebhooks(scope: Scope, request: PageRequest): Promise<{ data: Webhook[]; total: number }> {
  const { rows, total } = await counted(
    request,
    db(scope).webhook.findMany({ where: live, select: shape, orderBy: { id: "desc" }, ...sliceOf(request) }),
    () => db(scope).webhook.count({ where: live }),
  )
  return { data: rows.map(toWebhook), total }
}

export async function findWebhook(scope: InProject, id: string, on: ScopedDb = db(scope)): Promise<Webhook | null> {
  const row = await on.webhook.findUnique({ where: { id, ...live }, select: shape })
  return row && toWebhook(row)
}

export type WebhookPlan = {
  name: string
  url: string
  events: string[]
  filters?: EventFilter[] | undefined
  transformations?: Transformation[] | undefined
  secret: string
}

/** Adds a webhook unless the project has as many as it may: the answer is then that limit. */
export async function addWebhook(scope: Scope, plan: WebhookPlan): Promise<Webhook | { limit: number }> {
  return db(scope).$transaction(async (tx) => {
    const limit = (await lockProject(scope, tx))?.maxWebhooks ?? 0
    // A separate statement, because it must see what the previous holder of the lock has added.
    if ((await tx.webhook.count({ where: live })) >= limit) return { limit }
    const { name, url, events, secret } = plan
    const id = newId()
    const sealed = sealSecret(bytesOfSecret(secret), { id, projectId: scope.project.id })
    const row = await tx.webhook.create({
      data: { id, name, url, events, ...listsOf(plan), secret: new Uint8Array(sealed) },
      select: shape,
    })
    await addAudit(scope, { action: "webhook.created", target: targetOf(id), name, changes: { url, events } }, tx)
    return toWebhook(row)
  })
}

export type WebhookEdit = Partial<WebhookPlan> & {
  enabled?: boolean | undefined
  /** Null forgets the former secret at once. */
  formerSecretUntil?: null | undefined
}

/** Changes what is given; null when there is no such webhook. */
export async function changeWebhook(scope: Scope, id: string, edit: WebhookEdit): Promise<Webhook | null> {
  const { secret, enabled, name, url, events, formerSecretUntil } = edit
  return db(scope).$transaction(async (tx) => {
    await lockRow({ of: scope, table: "webhooks" }, id, tx)
    const stored = await tx.webhook.findUnique({ where: { id, ...live }, select: changeable })
    if (!stored) return null
    const sealed = stored.secret
    const owner = { id, projectId: scope.project.id }
    const data = {
      ...(name && { name }),
      ...(url && { url, ...(url !== stored.url && { failingSince: null }) }),
      ...(events && { events }),
      ...listsOf(edit),
    }
    if (Object.keys(data).length) await tx.webhook.updateMany({ where: { id }, data })
    if (enabled !== undefined) await setEnabled(scope, id, enabled, tx)
    const bytes = secret === undefined ? null : bytesOfSecret(secret)
    const rotated = bytes !== null && !isSecretOf(sealed, bytes, owner)
    if (rotated) await replaceSecret({ id, former: sealed, next: sealSecret(bytes, owner) }, tx)
    const isOverlapEnded = formerSecretUntil === null
    // Not in the trigger of `updated_at`: an overlap also ends by itself, which nobody changes.
    if (isOverlapEnded)
      await tx.webhook.updateMany({
        where: { id, formerSecret: { not: null } },
        data: { formerSecret: null, formerSecretUntil: null, updatedAt: await databaseTime(tx) },
      })
    const { filters, transformations } = edit
    const changes = {
      ...changedFields({ ...stored, enabled: stored.disabledAt === null }, { name, url, events, enabled }),
      ...{ filters, transformations },
      ...(rotated && { secret: "replaced" }),
      ...(isOverlapEnded && { formerSecret: "ended" }),
    }
    await addAudit(scope, { action: "webhook.updated", target: targetOf(id), name: name ?? stored.name, changes }, tx)
    return findWebhook(scope, id, tx)
  })
}

const changeable = { secret: true, name: true, url: true, events: true, disabledAt: true } as const

/** Enabling forgets earlier failures. */
async function setEnabled(scope: Scope, id: string, enabled: boolean, tx: ScopedDb): Promise<void> {
  if (enabled) {
    const data = { disabledAt: null, disabledReason: null, failingSince: null }
    await tx.webhook.updateMany({ where: { id, disabledAt: { not: null } }, data })
    return
  }
  const now = await databaseTime(tx)
  const data = { disabledAt: now, disabledReason: "paused", failingSince: null }
  await tx.webhook.updateMany({ where: { id, disabledAt: null }, data })
  await cancelWaiting(scope, id, now, tx)
}

const formerSecretSeconds = 24 * 3_600

/** The former secret goes on signing beside the next one, for a day. */
async function replaceSecret(
  { id, former, next }: { id: string; former: Uint8Array; next: Uint8Array },
  tx: ScopedDb,
): Promise<void> {
  await tx.webhook.updateMany({
    where: { id },
    data: {
      secret: new Uint8Array(next),
      formerSecret: new Uint8Array(former),
      formerSecretUntil: secondsAfter(await databaseTime(tx), formerSecretSeconds),
    },
  })
}

/** Hides a webhook at once, destroys its secrets, and ends its deliveries; false when there is none. */
export async function removeWebhook(scope: Scope, id: string): Promise<boolean> {
  return db(scope).$transaction(async (tx) => {
    const [removed] = await tx.webhook.updateManyAndReturn({
      where: { id, ...live },
      select: { name: true },
      data: {
        deletedAt: await databaseTime(tx),
        secret: new Uint8Array(),
        formerSecret: null,
        formerSecretUntil: null,
      },
    })
    if (!removed) return false
    await addAudit(scope, { action: "webhook.deleted", target: targetOf(id), name: removed.name }, tx)
    return true
  })
}

function targetOf(id: string): string {
  return encodeId("whk", id)
}

/** The lists as columns: an empty one is stored like none. */
function listsOf({ filters, transformations }: Pick<WebhookEdit, "filters" | "transformations">) {
  return {
    ...(filters && { filters: filters.length ? jsonOf(filters) : Prisma.DbNull }),
    ...(transformations && { transformations: transformations.length ? jsonOf(transformations) : Prisma.DbNull }),
  }
}

/** Without fields that are undefined or null, which mean the same, as it will be read. */
function jsonOf(list: readonly object[]): Prisma.InputJsonArray {
  return JSON.parse(JSON.stringify(list, (_name, value: unknown) => value ?? undefined)) as Prisma.InputJsonArray
}

/** `listsOf` alone writes these columns, from lists that the schema has judged. */
export function storedList<T extends EventFilter | Transformation>(stored: Prisma.JsonValue): T[] | undefined {
  return stored === null ? undefined : (stored as T[])
}

function toWebhook({ disabledAt, ...row }: Row): Webhook {
  return shown<Webhook>()({
    ...row,
    filters: storedList<EventFilter>(row.filters) as Webhook["filters"],
    transformations: storedList<Transformation>(row.transformations) as Webhook["transformations"],
    enabled: disabledAt === null,
    disabledReason: present(row.disabledReason),
    failingSince: present(row.failingSince),
    formerSecretUntil: present(row.formerSecretUntil),
    // Added where webhooks are read.
    health: undefined,
  })
}

/** Events that are searched for some of the wanted types: a bound, however many events a project has. */
const searchedMax = 500
const perTypeMax = 3

/** The newest dispatched events of these types among the last 500 of the project: up to three of each type, newest first. */
export async function recentEvents(scope: Scope, types: ReadonlySet<string>): Promise<SourceEvent[]> {
  const rows = await db(scope).event.findMany({
    where: { seq: { not: null } },
    orderBy: { seq: "desc" },
    take: searchedMax,
    select: { id: true, projectId: true, emailId: true, type: true, data: true, occurredAt: true },
  })
  const counts = new Map<string, number>()
  return rows.flatMap((row) => {
    const event = { ...row, data: row.data as SourceEvent["data"] }
    const type = webhookTypeOf(event)
    if (!type || !types.has(type)) return []
    const count = (counts.get(type) ?? 0) + 1
    counts.set(type, count)
    return count <= perTypeMax ? [event] : []
  })
}

/** Webhooks with their health. */
export async function withHealth(scope: Scope, webhooks: readonly Webhook[]): Promise<Webhook[]> {
  if (!webhooks.length) return []
  const rows = await healthOf(
    scope,
    webhooks.map(({ id }) => id),
  )
  const known = new Map(rows.map((row) => [row.id, toHealth(row)]))
  return webhooks.map((webhook) => ({ ...webhook, health: known.get(webhook.id) }))
}

/** Null when there is no such webhook. */
export async function healthDetail(scope: Scope, id: string): Promise<z.output<typeof WebhookHealthDetail> | null> {
  const [[row], hours, { sample, p50Ms, p95Ms }] = await Promise.all([
    healthOf(scope, [id]),
    hoursOf(scope, id),
    webhookLatency(scope, id),
  ])
  const latency = p50Ms === null || p95Ms === null ? undefined : { sample, p50Ms, p95Ms }
  return row ? { ...toHealth(row), hours, latency } : null
}

/** Every hour of the last day, also those without deliveries. */
async function hoursOf(scope: Scope, webhookId: string): Promise<z.output<typeof WebhookHealthDetail>["hours"]> {
  const hours = lastHours(await databaseTime())
  const rows = await db(scope).webhookHour.findMany({
    where: { webhookId, hour: { in: hours } },
    select: { hour: true, firstSucceeded: true, firstFailed: true },
  })
  return rowsOfHours(hours, rows, { firstSucceeded: 0, firstFailed: 0 })
}

function toHealth({ id: _, nextAttemptAt, lastSuccessAt, lastFailureAt, ...figures }: HealthRow): WebhookHealth {
  return {
    ...figures,
    nextAttemptAt: present(nextAttemptAt),
    lastSuccessAt: present(lastSuccessAt),
    lastFailureAt: present(lastFailureAt),
  }
}

// Raw, because Prisma has neither LATERAL nor sums with a condition.

type HealthRow = {
  id: string
  attempted: number
  succeeded: number
  recovered: number
  failed: number
  retrying: number
  nextAttemptAt: Date | null
  lastSuccessAt: Date | null
  lastFailureAt: Date | null
}

/** The health of webhooks, from their hours and a bounded number of waiting deliveries. */
async function healthOf(scope: Scope, ids: readonly string[]): Promise<HealthRow[]> {
  return db(scope).$queryRaw<HealthRow[]>`
    SELECT w.id, h.*, r.* FROM webhooks w CROSS JOIN LATERAL (
      SELECT coalesce(sum(first_succeeded + first_failed) FILTER (WHERE recent), 0)::int AS attempted,
          coalesce(sum(first_succeeded + recovered) FILTER (WHERE recent), 0)::int AS succeeded,
          coalesce(sum(recovered) FILTER (WHERE recent), 0)::int AS recovered,
          coalesce(sum(failed) FILTER (WHERE recent), 0)::int AS failed,
          max(last_succeeded_at) AS "lastSuccessAt", max(last_failed_at) AS "lastFailureAt"
        FROM (SELECT *, hour > now() - interval '24 hours' AS recent FROM webhook_hours WHERE webhook_id = w.id) hours
    ) h CROSS JOIN LATERAL (
      SELECT count(*)::int AS retrying, min(due_at) AS "nextAttemptAt" FROM (
        SELECT due_at FROM webhook_deliveries WHERE webhook_id = w.id AND due_at IS NOT NULL AND status = 'pending' AND attempt_count > 0
          ORDER BY due_at LIMIT ${retryingMax + 1}) waiting
    ) r WHERE w.project_id = ${scope.project.id}::uuid AND w.id = ANY (${ids}::uuid[])`
}

/** How long the attempts took that succeeded, among the latest deliveries. */
function webhookLatency(scope: Scope, webhookId: string): Promise<Latency> {
  const ms = Prisma.sql`CASE WHEN status = 'success' THEN (attempts -> -1 ->> 'durationMs')::float8 END`
  const own = Prisma.sql`project_id = ${scope.project.id}::uuid AND webhook_id = ${webhookId}::uuid`
  return latencyOf(ms, Prisma.sql`webhook_deliveries WHERE ${own}`, db(scope))
}

/** Deliveries that wait and end when their webhook is disabled; what a person asked for is sent all the same. */
export const endsWithWebhook =
  "due_at IS NOT NULL AND status = 'pending' AND replay = 0 AND event_type <> 'webhook.test'"

/** Waiting deliveries that a change cancels at once; the sweep cancels the rest. */
const cancelledAtOnceMax = 5_000

/** Cancels deliveries that wait, at `now`, the time of the transaction; one that is under way ends by itself. */
export async function cancelWaiting({ project }: InProject, webhookId: string, now: Date, tx: ScopedDb): Promise<void> {
  const own = Prisma.sql`project_id = ${project.id}::uuid AND webhook_id = ${webhookId}::uuid`
  const where = Prisma.sql`${own} AND ${Prisma.raw(endsWithWebhook)}`
  const waiting = await lockRows<{ id: string }>(
    { columns: "id", table: "webhook_deliveries", where, limit: cancelledAtOnceMax, skipLocked: true },
    tx,
  )
  await tx.webhookDelivery.updateMany({
    where: { id: { in: waiting.map(({ id }) => id) } },
    data: { status: "cancelled", dueAt: null, updatedAt: now },
  })
}

const generatedBytes = 32

type Owner = { id: string; projectId: string }

/** A generated secret, in its public form. */
export function newSecret(random: Random): string {
  return textOfSecret(random.bytes(generatedBytes))
}

/** Encrypts the bytes of a secret for the row of its webhook. */
export function sealSecret(bytes: Uint8Array, owner: Owner): Buffer {
  return seal(bytes, purposeOf(owner))
}

/** The bytes of a stored secret, the current or the former one of its webhook. */
export function openSecret(sealed: Uint8Array, owner: Owner): Buffer {
  return open(sealed, purposeOf(owner))
}

/** Whether a stored secret has these bytes; false for one that cannot be opened, so that it can be replaced. */
export function isSecretOf(sealed: Uint8Array, bytes: Uint8Array, owner: Owner): boolean {
  try {
    return openSecret(sealed, owner).equals(bytes)
  } catch {
    return false
  }
}

/** The former secret is a copy of what the column of the current one held, so both are bound to the same row. */
function purposeOf({ id, projectId }: Owner): string {
  return `webhooks|secret|${id}|${projectId}`
}
