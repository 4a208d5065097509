import { addAudit } from "@/lib/access/audit/data"
import type { Address } from "@/lib/addresses/address"
import { type BroadcastContent, type Entry, readContent } from "@/lib/broadcasts/content-schema"
import {
  type BroadcastStatus,
  draftsMax,
  openBroadcastsMax,
  openBroadcastStatuses,
  type PausedReason,
  type WaitReason,
} from "@/lib/broadcasts/rules"
import type { BroadcastTemplate } from "@/lib/broadcasts/from-template"
import {
  type Broadcast,
  type BroadcastItem,
  clickersMax,
  type BroadcastLinks,
  listedLinksMax,
} from "@/lib/broadcasts/schema"
import { addressHeader, type Author } from "@/lib/emails/send/data"
import { everyCounter, toCounts } from "@/lib/metrics/data"
import { type Counts, noCounts, reportOf } from "@/lib/metrics/rules"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { firstId } from "@/lib/platform/database/bounded-reads-sql"
import { lockProject } from "@/lib/platform/database/locks-sql"
import { db, type InProject, type ScopedDb } from "@/lib/platform/database/scoped-db"
import { shown } from "@/lib/platform/database/shape"
import { nullIfTaken } from "@/lib/platform/database/sql-errors"
import { counted, type PageRequest, sliceOf } from "@/lib/platform/http/paging"
import type { Scope } from "@/lib/platform/http/scope"
import { decodeId, encodeId, newId } from "@/lib/platform/ids"
import { findProject } from "@/lib/projects/data"
import { present } from "@/lib/platform/schema"
import { Prisma } from "@/prisma/generated/client"
import { pool } from "@/lib/platform/database/db"

/** Broadcasts, newest first, without their content. */
export async function readBroadcasts(
  scope: Scope,
  status: BroadcastStatus | undefined,
  request: PageRequest,
): Promise<{ data: BroadcastItem[]; total: number }> {
  const where = { ...(status && { status }) }
  const { rows, total } = await counted(
    request,
    db(scope).broadcast.findMany({ where, select: itemShape, orderBy: { id: "desc" }, ...sliceOf(request) }),
    () => db(scope).broadcast.count({ where }),
  )
  const ids = rows.map(({ id }) => id)
  const [results, defaults] = await Promise.all([resultsOf(scope, ids), trackingDefaults(scope)])
  return { data: rows.map((row) => toItem(row, defaults, results.get(row.id))), total }
}

export async function findBroadcast(scope: Scope, id: string): Promise<Broadcast | null> {
  const [row, results, defaults] = await Promise.all([
    db(scope).broadcast.findUnique({ where: { id }, select: shape }),
    resultsOf(scope, [id]),
    trackingDefaults(scope),
  ])
  return row && toBroadcast(row, defaults, results.get(id))
}

export async function hasBroadcast(scope: Scope, id: string): Promise<boolean> {
  return (await db(scope).broadcast.count({ where: { id } })) > 0
}

export type StoredBroadcast = {
  status: BroadcastStatus
  updatedAt: Date
  content: object
  template: BroadcastTemplate | null
  entries: string[]
  from: string
}

/** What a change builds on: the content and the recipients as they were given. */
export async function findStored(scope: Scope, id: string): Promise<StoredBroadcast | null> {
  const select = {
    status: true,
    content: true,
    template: true,
    entries: true,
    fromHeader: true,
    updatedAt: true,
  } as const
  const row = await db(scope).broadcast.findUnique({ where: { id }, select })
  return (
    row && {
      status: row.status as BroadcastStatus,
      updatedAt: row.updatedAt,
      content: row.content as object,
      template: readTemplate(row.template),
      entries: row.entries,
      from: row.fromHeader,
    }
  )
}

/** The broadcast that an earlier request with this key made. */
export async function findByKey(scope: Scope, idempotencyKey: string): Promise<Broadcast | null> {
  const row = await db(scope).broadcast.findFirst({ where: { idempotencyKey }, select: { id: true } })
  return row && findBroadcast(scope, row.id)
}

type Columns = Prisma.BroadcastUncheckedCreateInput
type Written = Pick<Columns, "subject" | "fromHeader" | "content"> & {
  entries: string[]
  openTracking: boolean | null
  clickTracking: boolean | null
  topicId: string | null
  testMode: boolean
  scheduledAt: Date | null
  /** Null for content of its own. */
  template: BroadcastTemplate | null
}
type Made = { id: string; status: BroadcastStatus; idempotencyKey: string | null }
export type NewRow = Written & Made & Pick<Columns, "keyId" | "userId" | "requestId">

/** Adds a broadcast: due at once, at its time, or as a draft never. */
export async function addBroadcast(scope: Scope, row: NewRow): Promise<"added" | "taken" | "full"> {
  const added = await nullIfTaken(
    db(scope).$transaction(async (tx) => {
      await lockProject(scope, tx)
      if (await isAtLimit(row.status, tx)) return "full"
      const { id, status, subject, scheduledAt } = row
      await tx.broadcast.createMany({ data: { ...stored(row), dueAt: await dueAt(status, scheduledAt, tx) } })
      await addAudit(
        scope,
        { action: "broadcasts.create", target: encodeId("bc", id), name: subject, changes: { status } },
        tx,
      )
      return "added"
    }),
  )
  return added ?? "taken"
}

function stored<Fields extends Partial<Written>>({ template, ...fields }: Fields) {
  return { ...fields, ...(template !== undefined && { template: template ?? Prisma.DbNull }) }
}

/** Whether the project has as many drafts or open broadcasts as it may have. */
export async function isAtLimit(status: BroadcastStatus, tx: ScopedDb): Promise<boolean> {
  if (status === "draft") return (await tx.broadcast.count({ where: { status } })) >= draftsMax
  return (await tx.broadcast.count({ where: { status: { in: [...openBroadcastStatuses] } } })) >= openBroadcastsMax
}

export async function dueAt(status: BroadcastStatus, scheduledAt: Date | null, tx: ScopedDb): Promise<Date | null> {
  if (status === "scheduled") return scheduledAt
  return status === "preparing" ? databaseTime(tx) : null
}

/** A draft with the content and the recipients of another broadcast; null where there is no such broadcast. */
export async function duplicate(scope: Scope, id: string, author: Author): Promise<string | "full" | null> {
  return db(scope).$transaction(async (tx) => {
    await lockProject(scope, tx)
    const row = await tx.broadcast.findUnique({ where: { id }, select: copiedShape })
    if (!row) return null
    if (await isAtLimit("draft", tx)) return "full"
    const copy = newId()
    const content = readContent(row.content)
    const made = { id: copy, status: "draft", ...trackingColumns(content), ...author }
    const json = { content: row.content ?? {}, template: row.template ?? Prisma.DbNull }
    await tx.broadcast.createMany({ data: { ...row, ...json, ...made } })
    const entry = { action: "broadcasts.duplicate", target: encodeId("bc", copy), name: row.subject } as const
    await addAudit(scope, { ...entry, changes: { of: encodeId("bc", id) } }, tx)
    return copy
  })
}

const copiedShape = {
  ...{ subject: true, fromHeader: true, entries: true, content: true, template: true, topicId: true, testMode: true },
} as const

export type BroadcastEdit = Partial<Written>

/** Changes a draft or scheduled broadcast as it was read; false if it has changed since. */
export async function editBroadcast(
  scope: Scope,
  { id, from, to, updatedAt }: { id: string; from: BroadcastStatus; to: BroadcastStatus; updatedAt: Date },
  edit: BroadcastEdit,
): Promise<boolean> {
  return db(scope).$transaction(async (tx) => {
    const due = edit.scheduledAt === undefined ? {} : { dueAt: await dueAt(to, edit.scheduledAt, tx) }
    const [edited] = await tx.broadcast.updateManyAndReturn({
      where: { id, status: from, updatedAt },
      data: { ...stored(edit), status: to, ...due },
      select: { subject: true },
    })
    if (!edited) return false
    const entry = { action: "broadcasts.update", target: encodeId("bc", id), name: edited.subject } as const
    await addAudit(scope, { ...entry, changes: { fields: Object.keys(edit) } }, tx)
    return true
  })
}

export async function deleteDraft(scope: Scope, id: string): Promise<boolean> {
  return db(scope).$transaction(async (tx) => {
    const draft = await tx.broadcast.findUnique({ where: { id }, select: { subject: true } })
    const { count } = await tx.broadcast.deleteMany({ where: { id, status: "draft" } })
    const entry = { action: "broadcasts.delete", target: encodeId("bc", id), name: draft?.subject } as const
    if (count) await addAudit(scope, entry, tx)
    return count > 0
  })
}

/** The places of recipients that name no segment, topic or contact of the project. */
export async function missingEntries(scope: Scope, to: readonly Entry[]): Promise<number[]> {
  const ids = to.map(idOf)
  const among = (kind: "seg" | "top" | "con") => ({ in: ids.flatMap((one) => (one?.kind === kind ? one.id : [])) })
  const select = { id: true } as const
  const [segments, topics, contacts] = await Promise.all([
    db(scope).segment.findMany({ where: { id: among("seg"), deletedAt: null }, select }),
    db(scope).topic.findMany({ where: { id: among("top"), deletedAt: null }, select }),
    db(scope).contact.findMany({ where: { id: among("con") }, select }),
  ])
  const known = new Set([...segments, ...topics, ...contacts].map(({ id }) => id))
  return ids.flatMap((one, at) => (one && !known.has(one.id) ? at : []))
}

/** Null for an address; an id that cannot be read names nothing. */
function idOf(one: Entry): { kind: "seg" | "top" | "con"; id: string } | null {
  if ("address" in one) return null
  const text = "contact" in one ? one.contact : one.audience
  const kind = text.slice(0, 3) as "seg" | "top" | "con"
  return { kind, id: decodeId(kind, text) ?? firstId }
}

export async function senderVerified(scope: Scope, name: string): Promise<boolean> {
  return (await db(scope).domain.count({ where: { name, status: { in: ["verified", "degraded"] } } })) > 0
}

/** What became of the emails of these broadcasts, by id; who has no email with a response yet is absent. Reads a row a day. */
export async function resultsOf(scope: InProject, ids: readonly string[]): Promise<Map<string, Counts>> {
  if (!ids.length) return new Map()
  const rows = await db(scope).metricSlice.groupBy({
    by: ["key"],
    where: { dimension: "broadcast", grain: "day", key: { in: [...ids] } },
    _sum: everyCounter,
  })
  return new Map(rows.map(({ key, _sum }) => [key, toCounts(_sum)]))
}

/** A broadcast without its content, which may have mebibytes. */
const itemShape = {
  ...{
    id: true,
    projectId: true,
    status: true,
    subject: true,
    fromHeader: true,
    entries: true,
    content: false,
    template: false,
  },
  ...{ openTracking: true, clickTracking: true },
  ...{ topicId: true, testMode: true, idempotencyKey: false, scheduledAt: true, contentId: false, position: false },
  ...{ cursor: false, recipients: true, joined: true, accepted: true, unsubscribed: true, suppressed: true },
  ...{ topicOptOut: true, leftBefore: true, judgedSent: false, judgedBounced: false, judgedDelivered: false },
  ...{ judgedComplained: false, pausedReason: true, waitingFor: true, waitingUntil: true, attempt: false },
  ...{ dueAt: false, keyId: false, userId: false, requestId: false, startedAt: true, endedAt: true },
  ...{ emptiedAt: false, createdAt: true, updatedAt: true },
} as const satisfies Record<Prisma.BroadcastScalarFieldEnum, boolean>

const shape = { ...itemShape, content: true, template: true } as const

/** The project's settings, which count where a broadcast says nothing. */
type TrackingDefaults = { openTracking: boolean; clickTracking: boolean }

async function trackingDefaults(scope: Scope): Promise<TrackingDefaults> {
  const settings = (await findProject(scope))?.trackingSettings
  return { openTracking: settings?.openTracking ?? false, clickTracking: settings?.clickTracking ?? false }
}

type ItemRow = Prisma.BroadcastGetPayload<{ select: typeof itemShape }>
type Row = Prisma.BroadcastGetPayload<{ select: typeof shape }>

function toItem(row: ItemRow, defaults: TrackingDefaults, results: Counts = noCounts()): BroadcastItem {
  const { id, projectId, subject, testMode, createdAt, updatedAt } = row
  return shown<BroadcastItem>()({
    ...{ id, projectId, subject, testMode, createdAt, updatedAt },
    status: row.status as BroadcastStatus,
    from: row.fromHeader,
    to: row.entries,
    topicId: present(row.topicId),
    scheduledAt: present(row.scheduledAt),
    startedAt: present(row.startedAt),
    endedAt: present(row.endedAt),
    pausedReason: present(row.pausedReason as PausedReason | null),
    waiting: waitOf(row),
    counts: countsOf(row, results),
    tracked: {
      opens: row.openTracking ?? defaults.openTracking,
      clicks: row.clickTracking ?? defaults.clickTracking,
    },
  })
}

function toBroadcast(
  { content, template: storedTemplate, ...row }: Row,
  defaults: TrackingDefaults,
  results?: Counts,
): Broadcast {
  const { from: _from, subject: _subject, topicId: _topicId, testMode: _testMode, ...given } = readContent(content)
  const { attachments, html, text, headers, tags, metadata } = given
  const made = readTemplate(storedTemplate)
  return shown<Broadcast>()({
    template: made ? templateItem(made) : undefined,
    placeholders: made?.id === null,
    ...wholeItem(toItem(row, defaults, results)),
    ...{ html, text, headers, tags, metadata },
    replyTo: given.replyTo && addressHeader(given.replyTo),
    sendTimeCategory: given.sendTimeCategory,
    trackingSettings: given.trackingSettings,
    giveUpAfterSeconds: given.giveUpAfterSeconds,
    attachments: attachments?.map(({ filename, contentType, content: base64 }) => ({
      ...{ filename, contentType },
      size: Buffer.byteLength(base64, "base64"),
    })),
  })
}

/** `shown` asks for every field, absent ones included; an item has them all. */
function wholeItem(item: BroadcastItem) {
  return item as { [Name in keyof Required<BroadcastItem>]: BroadcastItem[Name] }
}

function waitOf({ status, waitingFor, waitingUntil }: ItemRow): BroadcastItem["waiting"] {
  if (waitingFor === null || (status !== "preparing" && status !== "sending")) return undefined
  return { reason: waitingFor as WaitReason, ...(waitingUntil && { until: waitingUntil }) }
}

function countsOf(row: ItemRow, results: Counts): BroadcastItem["counts"] {
  const { accepted, unsubscribed, suppressed, topicOptOut, leftBefore, joined, recipients } = row
  return {
    ...(recipients !== null && { recipients: recipients + joined }),
    accepted,
    excluded: { unsubscribed, suppressed, topicOptOut, left: leftBefore },
    ...{ sent: results.sent, delivered: results.delivered, bounced: results.bounced, failed: results.failed },
    ...{ complained: results.complained, opened: results.opened, clicked: results.clicked },
    unsubscribed: results.unsubscribed,
    ...reportOf(results),
  }
}

type Given = { from?: Address; replyTo?: Address | null; html?: string | null; text?: string | null }

/** What is tracked of its emails, as the content says; null where it says nothing. */
export function trackingColumns({ trackingSettings }: Pick<BroadcastContent, "trackingSettings">) {
  const { openTracking = null, clickTracking = null } = trackingSettings ?? {}
  return { openTracking, clickTracking }
}

/** The content as a request gives it, to store it; what is null stays null, and a body without content is left out. */
export function wireOf<Fields extends Given>({ from, replyTo, html, text, ...fields }: Fields) {
  return {
    ...fields,
    ...(html !== undefined && { html }),
    ...(text !== undefined && { text }),
    ...(from && { from: addressHeader(from) }),
    ...(replyTo !== undefined && { replyTo: replyTo && addressHeader(replyTo) }),
  }
}

/** As a broadcast was made from it; null where it has content of its own. */
export function readTemplate(json: Prisma.JsonValue): BroadcastTemplate | null {
  return json as BroadcastTemplate | null
}

function templateItem({ personal, ...template }: BroadcastTemplate): Broadcast["template"] {
  return template.id === null ? undefined : { ...template, isPersonal: personal !== null }
}

export function entryText(one: Entry): string {
  if ("audience" in one) return one.audience
  return "contact" in one ? one.contact : addressHeader(one)
}

// Raw SQL: it counts events by a value in their data, which Prisma cannot group by.

/** Clicks of people and how many people clicked, by link. Who clicked has an email of one of these states. */
export async function clicksByLink(scope: Scope, broadcastId: string): Promise<BroadcastLinks> {
  const { rows } = await pool().query<{ url: string; clicks: number; people: number; of: number }>({
    name: "broadcasts.clicks_by_link",
    text: `WITH people AS MATERIALIZED (
        SELECT id FROM emails WHERE project_id = $1 AND broadcast_id = $2 AND status IN ('clicked', 'complained')
          ORDER BY id LIMIT ${clickersMax + 1})
      SELECT v.data->>'url' AS url, count(*)::int AS clicks, count(DISTINCT v.email_id)::int AS people,
          (SELECT count(*)::int FROM people) AS of
        FROM (SELECT id FROM people ORDER BY id LIMIT ${clickersMax}) p
        JOIN events v ON v.project_id = $1 AND v.email_id = p.id AND v.type = 'clicked'
          AND v.data->>'machine' IS DISTINCT FROM 'true' AND v.data->>'url' IS NOT NULL
        GROUP BY 1 ORDER BY people DESC, clicks DESC, url LIMIT ${listedLinksMax}`,
    values: [scope.project.id, broadcastId],
  })
  const data = rows.map(({ url, clicks, people }) => ({ url, clicks, people }))
  return { data, complete: (rows[0]?.of ?? 0) <= clickersMax }
}
