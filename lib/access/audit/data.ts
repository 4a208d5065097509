import { z } from "zod"
import { CursorInfo } from "@/lib/platform/http/paging"
import { id, int64, timestamp, present } from "@/lib/platform/schema"
import type { AuditAction } from "@/lib/access/audit/rules"
import { recordFaultWords } from "@/lib/explanation/record-words"
import { type Queryable, unscoped, prepared } from "@/lib/platform/database/db"
import { db, type ScopedDb } from "@/lib/platform/database/scoped-db"
import { shown } from "@/lib/platform/database/shape"
import { cursorSlice, newestFirst, type CursorSlice, type CursorPosition } from "@/lib/platform/http/cursors"
import type { OrganizationScope, Scope } from "@/lib/platform/http/scope"
import { encodeId, firstIdAt, newId } from "@/lib/platform/ids"
import { Prisma } from "@/prisma/generated/client"
import { isDeepStrictEqual } from "node:util"

const AuditEntry = z
  .strictObject({
    id: id("aud"),
    at: timestamp,
    action: z.string().describe("`<area>.<verb>`, such as `api_key.created`."),
    actor: z.strictObject({
      kind: z.string().describe("`user`, `key`, `operator`, `recipient` or `system`."),
      id: z.string().optional(),
      name: z.string().optional().describe("Email address of the user, or name of the key."),
    }),
    projectId: id("proj").optional(),
    target: z.string().optional().describe("What was changed: an id or an address."),
    targetName: z.string().optional().describe("What that was called at the time, if it has a name."),
    changes: z
      .record(z.string(), z.unknown())
      .optional()
      .describe("What changed, with `before` and `after` if both are known."),
    ip: z.string().optional(),
    requestId: z.string().optional(),
    position: int64.optional().describe("Position in the organization's hash chain."),
  })
  .meta({ id: "AuditEntry" })

type AuditEntry = z.output<typeof AuditEntry>

export const AuditEntryPage = z
  .strictObject({ cursor: CursorInfo, data: z.array(AuditEntry) })
  .meta({ id: "AuditEntryPage" })

/** Who did what to what: `target` is a public id, `name` what it is called, `changes` never holds a secret. */
export type NewAuditEntry = {
  action: AuditAction
  target?: string
  name?: string | null
  changes?: Record<string, unknown>
}

/** Records what was done within a project; pass the transaction of the change, so that both or neither are stored. */
export async function addAudit(
  scope: Scope,
  entry: NewAuditEntry,
  on: Queryable | ScopedDb = db(scope),
): Promise<void> {
  const { principal, project, request } = scope
  await insertInProject(on, project.id, {
    ...entry,
    organizationId: project.organizationId,
    actorKind: principal.kind === "key" ? "key" : "user",
    actorId: principal.kind === "key" ? principal.keyId : principal.userId,
    ip: request.ip,
    requestId: encodeId("req", request.id),
  })
}

/** Records what the recipient of an email did by a link in it. */
export async function addRecipientAudit(
  { projectId, ...at }: { organizationId: string; projectId: string; ip?: string },
  entry: NewAuditEntry,
  on: Queryable | ScopedDb = db({ project: { id: projectId } }),
): Promise<void> {
  await insertInProject(on, projectId, { ...entry, ...at, actorKind: "recipient" })
}

/** Records what the service itself did in a project. */
export async function addSystemAudit(
  { projectId, ...at }: { organizationId: string; projectId: string },
  entry: NewAuditEntry,
  on: Queryable | ScopedDb = db({ project: { id: projectId } }),
): Promise<void> {
  await insertInProject(on, projectId, { ...entry, ...at, actorKind: "system" })
}

/** Records what the service found out about an organization. */
export async function addOrganizationAudit(
  organizationId: string,
  entry: NewAuditEntry,
  on: Prisma.TransactionClient,
): Promise<void> {
  await insertAboveProjects(on, { ...entry, organizationId, actorKind: "system" })
}

/** Records what a user did above projects: joining an organization, adding a project. */
export async function addPersonAudit(
  { userId, ...at }: { organizationId: string; projectId?: string; userId: string; ip: string; requestId?: string },
  entry: NewAuditEntry,
  on: Prisma.TransactionClient = unscoped(),
): Promise<void> {
  await insertAboveProjects(on, { ...entry, ...at, actorKind: "user", actorId: userId })
}

/** How many such entries of a user an organization has since a moment. */
export function countPersonEntries(
  { organizationId, userId, since }: { organizationId: string; userId: string; since: Date },
  action: AuditAction,
): Promise<number> {
  return unscoped().auditEntry.count({
    where: { organizationId, action, actorId: userId, id: { gte: firstIdAt(since) } },
  })
}

/** Records what an operator did in the dashboard, in the log of every organization of theirs. */
export async function addOwnOperatorAudit(
  { organizationIds, principal, request }: OrganizationScope,
  entry: NewAuditEntry,
  on: Prisma.TransactionClient = unscoped(),
): Promise<void> {
  if (principal.kind !== "session") return
  const by = { userId: principal.userId, ip: request.ip, requestId: encodeId("req", request.id) }
  for (const organizationId of organizationIds) await addPersonAudit({ organizationId, ...by }, entry, on)
}

/** Records what the operator did by a command on the machine. */
export async function addOperatorAudit(
  at: { organizationId: string; projectId?: string },
  entry: NewAuditEntry,
  on: Prisma.TransactionClient = unscoped(),
): Promise<void> {
  await insertAboveProjects(on, { ...entry, ...at, actorKind: "operator" })
}

async function insertInProject(on: Queryable | ScopedDb, projectId: string, row: AuditRow) {
  if ("query" in on) await insertAuditEntry(on, { ...row, projectId })
  else await on.auditEntry.createMany({ data: columnsOf(row) })
}

async function insertAboveProjects(on: Prisma.TransactionClient, row: AuditRow) {
  await on.auditEntry.createMany({ data: { ...columnsOf(row), projectId: row.projectId ?? null } })
}

function columnsOf({ organizationId, actorKind, action, ...row }: AuditRow) {
  const changes = storedChanges(row)
  return {
    ...{ id: newId(), organizationId, actorKind, action },
    actorId: row.actorId ?? null,
    target: row.target ?? null,
    ip: row.ip ?? null,
    requestId: row.requestId ?? null,
    changes: changes ? jsonOf(changes) : Prisma.DbNull,
  }
}

/** The name is stored among the changes, which the hash of the chain covers. */
function storedChanges({ name, changes }: Pick<NewAuditEntry, "name" | "changes">) {
  return name ? { ...changes, targetName: name } : changes
}

/** As it will be read: without fields that are undefined, and with times as text. */
function jsonOf(changes: Record<string, unknown>): Prisma.InputJsonObject {
  return JSON.parse(JSON.stringify(changes)) as Prisma.InputJsonObject
}

type AuditRow = NewAuditEntry & {
  organizationId: string
  projectId?: string
  actorKind: "key" | "user" | "recipient" | "operator" | "system"
  actorId?: string
  ip?: string
  requestId?: string
}

const insertion = `INSERT INTO audit_entries
    (id, organization_id, project_id, actor_kind, actor_id, action, target, changes, ip, request_id)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`

/** On `pg`, for changes that are written in a transaction of `pg`. */
async function insertAuditEntry(on: Queryable, row: AuditRow): Promise<void> {
  const changes = storedChanges(row)
  await on.query(
    prepared(insertion, [
      newId(),
      row.organizationId,
      row.projectId ?? null,
      row.actorKind,
      row.actorId ?? null,
      row.action,
      row.target ?? null,
      changes ? JSON.stringify(changes) : null,
      row.ip ?? null,
      row.requestId ?? null,
    ]),
  )
}

const shape = {
  id: true,
  organizationId: false,
  projectId: true,
  actorKind: true,
  actorId: true,
  action: true,
  target: true,
  changes: true,
  ip: true,
  requestId: true,
  createdAt: true,
} as const satisfies Record<Prisma.AuditEntryScalarFieldEnum, boolean>

type Row = Prisma.AuditEntryGetPayload<{ select: typeof shape & { link: { select: { position: true } } } }>

type AuditFilter = {
  action?: string | undefined
  actor?: string | undefined
  target?: string | undefined
  project?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
}

/** Entries of the scope's organization, newest first. */
export async function listEntries(
  scope: Scope,
  filter: AuditFilter,
  position: CursorPosition | null,
  size: number,
): Promise<CursorSlice<AuditEntry>> {
  const where = conditionsOf(scope, filter)
  const { orderBy, beyond, beside } = newestFirst(position)
  const [rows, other] = await Promise.all([
    unscoped().auditEntry.findMany({
      where: { ...where, AND: [beyond] },
      select: { ...shape, link: { select: { position: true } } },
      orderBy,
      take: size + 1,
    }),
    beside ? unscoped().auditEntry.findFirst({ where: { ...where, AND: [beside] }, select: { id: true } }) : null,
  ])
  const names = await namesOf(rows)
  return cursorSlice(
    position,
    size,
    rows.map((row) => toEntry(row, names)),
    other !== null,
  )
}

function conditionsOf(
  scope: Scope,
  { action, actor, target, project, from, to }: AuditFilter,
): Prisma.AuditEntryWhereInput {
  return {
    organizationId: scope.organization.id,
    // An area is all its actions: `api_key` is `api_key.created` and the others, `segment` also `segments.create`.
    ...(action &&
      (action.includes(".")
        ? { action }
        : { OR: [`${action}.`, `${action}s.`].map((start) => ({ action: { startsWith: start } })) })),
    ...(actor && { actorId: actor }),
    ...(target && { target }),
    ...(project && { projectId: project }),
    ...((from || to) && {
      id: { ...(from && { gte: firstIdAt(from) }), ...(to && { lt: firstIdAt(new Date(to.getTime() + 1)) }) },
    }),
  }
}

type Names = Map<string, string | null>

/** The addresses of people and the names of keys, as they are now. */
async function namesOf(rows: Row[]): Promise<Names> {
  const ids = (kind: string) => [...new Set(rows.flatMap((row) => (row.actorKind === kind ? (row.actorId ?? []) : [])))]
  const [users, keys] = await Promise.all([
    unscoped().user.findMany({ where: { id: { in: ids("user") } }, select: { id: true, email: true } }),
    unscoped().apiKey.findMany({ where: { id: { in: ids("key") } }, select: { id: true, name: true } }),
  ])
  return new Map([
    ...users.map(({ id, email }) => [id, email] as const),
    ...keys.map(({ id, name }) => [id, name] as const),
  ])
}

function toEntry({ actorKind, actorId, changes, projectId, link, ...row }: Row, names: Names): AuditEntry {
  const { targetName, ...changed } = shownChanges(changesOf(changes))
  const id = actorId && (actorKind === "key" ? encodeId("key", actorId) : encodeId("usr", actorId))
  return shown<AuditEntry>()({
    id: row.id,
    at: row.createdAt,
    action: row.action,
    actor: { kind: actorKind, id: id ?? undefined, name: (actorId && names.get(actorId)) || undefined },
    projectId: present(projectId),
    target: present(row.target),
    targetName: typeof targetName === "string" ? targetName : nameAmong(changed),
    changes: Object.keys(changed).length ? changed : undefined,
    ip: present(row.ip),
    requestId: present(row.requestId),
    position: link ? Number(link.position) : undefined,
  })
}

/** This area writes changes as objects alone. */
function changesOf(json: Prisma.JsonValue): Record<string, unknown> {
  return (json ?? {}) as Record<string, unknown>
}

/** The faults of a domain's records are stored as codes. */
function shownChanges(changes: Record<string, unknown>): Record<string, unknown> {
  const { faults } = changes
  return Array.isArray(faults) ? { ...changes, faults: faults.map(recordFaultWords) } : changes
}

/** Entries of earlier releases have the name of what they are about only where it was among their changes. */
function nameAmong(changes: Record<string, unknown>): string | undefined {
  return ["name", "domain", "email", "subject", "destination", "address"]
    .map((field) => changes[field])
    .find((value): value is string => typeof value === "string")
}

/** Values of a field before and after a change. */
type Change = { before: unknown; after: unknown }

/** The fields that were given and differ from what was there. */
export function changedFields(was: Record<string, unknown>, given: Record<string, unknown>): Record<string, Change> {
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, after]): [string, Change][] => {
      const before = was[name] ?? null
      return after === undefined || isDeepStrictEqual(before, after) ? [] : [[name, { before, after }]]
    }),
  )
}
