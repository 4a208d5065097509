import { addAudit } from "@/lib/access/audit-store"
import { databaseTime, secondsAfter } from "@/lib/platform/database/clock-sql"
import { lockProject, lockRow } from "@/lib/platform/database/locks-sql"
import { db } from "@/lib/platform/database/scoped-db"
import type { ScopedDb } from "@/lib/platform/database/scoped-types"
import { shown } from "@/lib/platform/database/shape"
import { counted, sliceOf, type PageRequest } from "@/lib/platform/http/paging"
import type { Scope } from "@/lib/platform/http/scope"
import { encodeId, newId } from "@/lib/platform/ids"
import { present } from "@/lib/platform/schema"
import type { Filter, Transformation } from "@/lib/webhooks/rules"
import type { Webhook } from "@/lib/webhooks/schema"
import { isSecretOf, sealSecret } from "@/lib/webhooks/secret"
import { bytesOfSecret } from "@/lib/webhooks/secret-rules"
import { cancelWaiting } from "@/lib/webhooks/webhook-sql"
import { Prisma } from "@/prisma/generated/client"

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
  deletedAt: false,
  createdAt: true,
  updatedAt: true,
} as const satisfies Record<Prisma.WebhookScalarFieldEnum, boolean>

type Row = Prisma.WebhookGetPayload<{ select: typeof shape }>

const live = { deletedAt: null }

/** Newest first. */
export async function listWebhooks(scope: Scope, request: PageRequest): Promise<{ data: Webhook[]; total: number }> {
  const { rows, total } = await counted(
    request,
    db(scope).webhook.findMany({ where: live, select: shape, orderBy: { id: "desc" }, ...sliceOf(request) }),
    () => db(scope).webhook.count({ where: live }),
  )
  return { data: rows.map(toWebhook), total }
}

export async function findWebhook(scope: Scope, id: string, on: ScopedDb = db(scope)): Promise<Webhook | null> {
  const row = await on.webhook.findUnique({ where: { id, ...live }, select: shape })
  return row && toWebhook(row)
}

export type WebhookPlan = {
  name: string
  url: string
  events: string[]
  filters?: Filter[] | undefined
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
    await addAudit(scope, { action: "webhook.created", target: targetOf(id), changes: { name, url, events } }, tx)
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
    const stored = await tx.webhook.findUnique({ where: { id, ...live }, select: { secret: true } })
    if (!stored) return null
    const sealed = stored.secret
    const owner = { id, projectId: scope.project.id }
    const data = { ...(name && { name }), ...(url && { url }), ...(events && { events }), ...listsOf(edit) }
    if (Object.keys(data).length) await tx.webhook.updateMany({ where: { id }, data })
    if (enabled !== undefined) await setEnabled(scope, id, enabled, tx)
    const bytes = secret === undefined ? null : bytesOfSecret(secret)
    const rotated = bytes !== null && !isSecretOf(sealed, bytes, owner)
    if (rotated) await replaceSecret({ id, former: sealed, next: sealSecret(bytes, owner) }, tx)
    const isOverlapEnded = formerSecretUntil === null
    if (isOverlapEnded)
      await tx.webhook.updateMany({ where: { id }, data: { formerSecret: null, formerSecretUntil: null } })
    const { filters, transformations } = edit
    const changes = {
      ...{ name, url, events, filters, transformations, enabled },
      ...(rotated && { secret: "replaced" }),
      ...(isOverlapEnded && { formerSecret: "ended" }),
    }
    await addAudit(scope, { action: "webhook.updated", target: targetOf(id), changes }, tx)
    return findWebhook(scope, id, tx)
  })
}

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
export async function deleteWebhook(scope: Scope, id: string): Promise<boolean> {
  return db(scope).$transaction(async (tx) => {
    const { count } = await tx.webhook.updateMany({
      where: { id, ...live },
      data: {
        deletedAt: await databaseTime(tx),
        secret: new Uint8Array(),
        formerSecret: null,
        formerSecretUntil: null,
      },
    })
    if (count === 0) return false
    await addAudit(scope, { action: "webhook.deleted", target: targetOf(id) }, tx)
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

/** Without fields that are undefined, as it will be read. */
function jsonOf(list: readonly object[]): Prisma.InputJsonArray {
  return JSON.parse(JSON.stringify(list)) as Prisma.InputJsonArray
}

/** `listsOf` alone writes these columns, from lists that the schema has judged. */
export function storedList<T extends Filter | Transformation>(stored: Prisma.JsonValue): T[] | undefined {
  return stored === null ? undefined : (stored as T[])
}

function toWebhook({ disabledAt, ...row }: Row): Webhook {
  return shown<Webhook>()({
    ...row,
    filters: storedList<Filter>(row.filters) as Webhook["filters"],
    transformations: storedList<Transformation>(row.transformations) as Webhook["transformations"],
    enabled: disabledAt === null,
    disabledReason: present(row.disabledReason),
    failingSince: present(row.failingSince),
    formerSecretUntil: present(row.formerSecretUntil),
    // Added where webhooks are read.
    health: undefined,
  })
}
