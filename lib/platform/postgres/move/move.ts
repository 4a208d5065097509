import type pg from "pg"
import { setTimeout as wait } from "node:timers/promises"
import { newClient } from "@/lib/platform/database/client"
import { newId } from "@/lib/platform/ids"
import {
  addPeople,
  advanceNumbers,
  carryReturned,
  peopleOf,
  createCopier,
  type Sides,
} from "@/lib/platform/postgres/move/copy"
import {
  fenceOf,
  guardSource,
  guardTarget,
  keyedTables,
  openTarget,
  removeGuards,
  soon,
} from "@/lib/platform/postgres/move/guards"
import { movingOf, MoveRefused, refuseUncopied, refuseUnfitCell, stateOf } from "@/lib/platform/postgres/move/refusals"
import { belongs, type Moving } from "@/lib/platform/postgres/move/tables"

// Moves an organization from one installation's database to another's. On pg, because it reads and writes every table as it is.

export type OrganizationMove = {
  organizationId: string
  from: string
  to: string
  /** The names of both sides. */
  fromCell: string
  toCell: string
  /** BASE_URL of the other side, where links in emails lead from then on. */
  toAddress: string
  /** Called before the organization is held, and again while it is: copies the files that its rows name. */
  files(connected: pg.Client, projectIds: readonly string[]): Promise<void>
}

type Done = { rows: number; heldMs: number; keyHashes: string[] }

/** Few enough changes to copy them while the organization is held. */
const fewChanges = 2_000
/** What was claimed before the hold has so long to end. */
const settleMs = 8_000
/** A process knows a key for a second after it was last read. */
const knownMs = 1_200

/**
 * Copies the organization while it works, holds it, copies what has changed, and releases it on the other side. A move that was
 * interrupted goes on from where it can; once the old side has let go, that is its end.
 * @throws MoveRefused; everything works on the old side then
 */
export async function moveOrganization(move: OrganizationMove): Promise<Done> {
  return connected(move, async (sides) => {
    const state = await stateOf(sides.from, move.organizationId)
    if (state === "arriving" || state === "returning")
      throw new MoveRefused("move.arriving", "The organization is on its way here: end that move where it comes from.")
    await refuseUnfitCell(sides, move)
    const moving = await movingOf(sides.from, move.organizationId)
    if (!moving) throw new MoveRefused("organization.not_found", "Organization not found.")
    if (state === "left") {
      await arrive(sides, move, moving)
      await tidy(sides, moving)
      return { rows: await carryReturned(sides, moving), heldMs: 0, keyHashes: await keyHashesOf(sides.from, moving) }
    }
    await reset(sides, moving)
    try {
      const rows = await copy(sides, move, moving)
      const heldMs = await handOver(sides, move, moving, rows)
      return { rows: rows.count, heldMs, keyHashes: await keyHashesOf(sides.from, moving) }
    } catch (error) {
      // What broke off may have left a transaction on each side.
      for (const client of Object.values(sides)) await client.query("ROLLBACK")
      if ((await stateOf(sides.from, move.organizationId)) !== "left") await reset(sides, moving)
      throw error
    }
  })
}

/** Ends a move that has not come to its end: everything works on the old side. @throws MoveRefused once the old side has let go */
export async function undoMove(move: Omit<OrganizationMove, "files">): Promise<void> {
  return connected(move, async (sides) => {
    if ((await stateOf(sides.from, move.organizationId)) === "left")
      throw new MoveRefused(
        "organization.moved",
        "The organization has left. Run the move to its end, and move it back from there.",
      )
    const moving = await movingOf(sides.from, move.organizationId)
    if (!moving) throw new MoveRefused("organization.not_found", "Organization not found.")
    await reset(sides, moving)
    await forget(sides.to, moving)
  })
}

/** The projects of an organization that has left, whose rows are out of use here. */
export async function projectsLeft(url: string, organizationId: string): Promise<readonly string[]> {
  const client = newClient(url, "mailroom move", {})
  await client.connect()
  try {
    if ((await stateOf(client, organizationId)) !== "left")
      throw new MoveRefused("organization.not_moved", "The organization has not left this cell.")
    return (await movingOf(client, organizationId))?.projectIds ?? []
  } finally {
    await client.end()
  }
}

async function connected<T>(
  move: Pick<OrganizationMove, "from" | "to" | "organizationId">,
  work: (sides: Sides) => Promise<T>,
) {
  const sides = { from: newClient(move.from, "mailroom move", {}), to: newClient(move.to, "mailroom move", {}) }
  try {
    await Promise.all([sides.from.connect(), sides.to.connect()])
    // One move at a time; and the same lock twice in one database shows that the two sides are one.
    for (const [side, client] of Object.entries(sides)) {
      const { rows } = await client.query<{ taken: boolean }>(
        "SELECT pg_try_advisory_lock(hashtextextended('mailroom.move ' || $1, 0)) AS taken",
        [move.organizationId],
      )
      if (rows[0]?.taken) continue
      throw side === "from"
        ? new MoveRefused("move.under_way", "Another command moves this organization.")
        : new MoveRefused(
            "move.same_database",
            "The other database is this one, or another command moves this organization.",
          )
    }
    await withoutTriggers(sides.to)
    for (const client of Object.values(sides))
      await client.query("SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off")
    return await work(sides)
  } finally {
    await Promise.all([sides.from.end(), sides.to.end()])
  }
}

async function withoutTriggers(client: pg.Client) {
  try {
    await client.query("SET session_replication_role = replica")
  } catch {
    const { rows } = await client.query<{ role: string }>("SELECT quote_ident(current_user) AS role")
    throw new MoveRefused(
      "move.no_right",
      `The role ${rows[0]?.role} of the other database may not write rows without triggers. As its superuser: GRANT SET ON PARAMETER session_replication_role TO ${rows[0]?.role};`,
    )
  }
}

/** As before the move, on both sides; what was copied stays, out of reach, until the next attempt or `undo`. */
async function reset({ from, to }: Sides, moving: Moving) {
  await from.query("SELECT pg_advisory_unlock_all()")
  await from.query("SELECT pg_advisory_lock(hashtextextended('mailroom.move ' || $1, 0))", [moving.organizationId])
  await removeGuards(from, moving)
  await from.query("BEGIN")
  await from.query(
    `UPDATE projects p SET deleted_at = (m.deleted_projects ->> p.id::text)::timestamptz FROM cell_moves m
      WHERE m.organization_id = p.organization_id AND p.organization_id = $1 AND m.state = 'held'`,
    [moving.organizationId],
  )
  await from.query("DELETE FROM cell_moves WHERE organization_id = $1 AND state IN ('copying', 'held')", [
    moving.organizationId,
  ])
  await from.query("COMMIT")
  await to.query("UPDATE cell_moves SET state = 'left' WHERE organization_id = $1 AND state = 'returning'", [
    moving.organizationId,
  ])
  await removeGuards(to, moving)
}

/** Removes what was copied. Where the organization had worked before, its rows stay: links in older emails need them. */
async function forget(to: pg.Client, moving: Moving) {
  if ((await stateOf(to, moving.organizationId)) !== "arriving") return
  const tables = await keyedTables(to)
  for (const table of tables) await to.query(`DELETE FROM ${table.name} t WHERE ${belongs(table, "t", moving)}`)
  await to.query("DELETE FROM cell_moves WHERE organization_id = $1 AND state = 'arriving'", [moving.organizationId])
}

type Copied = { count: number; copier: Awaited<ReturnType<typeof createCopier>> }

async function copy(sides: Sides, move: OrganizationMove, moving: Moving): Promise<Copied> {
  const { from, to } = sides
  const { organizationId, fromCell, toCell, toAddress } = move
  const tables = await keyedTables(from)
  const begin = `INSERT INTO cell_moves (organization_id, state, cell, address) VALUES ($1, $2, $3, $4) ON CONFLICT (organization_id) DO UPDATE
    SET state = excluded.state, cell = excluded.cell, address = excluded.address, started_at = now(), held_at = NULL, moved_at = NULL, deleted_projects = '{}'`
  const left = (await stateOf(to, organizationId)) === "left" ? await movingOf(to, organizationId) : null
  if (left)
    await to.query("UPDATE cell_moves SET state = 'returning', started_at = now() WHERE organization_id = $1", [
      organizationId,
    ])
  else await to.query(begin, [organizationId, "arriving", fromCell, null])
  await guardTarget(to, moving, tables)
  if (left) await carryReturned({ from: to, to: from }, moving)
  await addPartitions(sides)
  await from.query(begin, [organizationId, "copying", toCell, toAddress])
  await guardSource(from, moving, tables)
  const copier = await createCopier(sides, moving, tables)
  const count = left ? await replaced(sides, () => copier.all(left)) : await copier.all(moving)
  await move.files(from, moving.projectIds)
  await to.query("ANALYZE emails, email_bodies, deliveries, events, delivery_attempts, contacts")
  while ((await copier.changes()) > fewChanges) continue
  return { count, copier }
}

/** Others see the old rows until the copy is complete: requests and links are led to the other cell by them. */
async function replaced<T>({ to }: Sides, copied: () => Promise<T>): Promise<T> {
  await to.query("BEGIN")
  const answer = await copied()
  await to.query("COMMIT")
  return answer
}

/** Months that only one side still has. */
async function addPartitions({ from, to }: Sides) {
  const { rows } = await from.query<{ name: string; parent: string; bound: string }>(
    `SELECT c.oid::regclass::text AS name, i.inhparent::regclass::text AS parent, pg_get_expr(c.relpartbound, c.oid) AS bound
      FROM pg_class c JOIN pg_inherits i ON i.inhrelid = c.oid WHERE c.relispartition AND c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace`,
  )
  for (const { name, parent, bound } of rows) {
    const known = await to.query("SELECT 1 WHERE to_regclass($1) IS NOT NULL", [name])
    if (known.rows.length === 0) await soon(to, `CREATE TABLE IF NOT EXISTS ${name} PARTITION OF ${parent} ${bound}`)
  }
}

/** Holds, copies the rest, and releases on the other side. @returns for how long the organization was nowhere */
async function handOver(sides: Sides, move: OrganizationMove, moving: Moving, { copier }: Copied): Promise<number> {
  const { from } = sides
  const heldAt = performance.now()
  await from.query("BEGIN")
  await from.query(
    `UPDATE cell_moves SET state = 'held', held_at = now(), deleted_projects = (
        SELECT coalesce(jsonb_object_agg(p.id, p.deleted_at) FILTER (WHERE p.deleted_at IS NOT NULL), '{}') FROM projects p WHERE p.organization_id = $1)
      WHERE organization_id = $1`,
    [moving.organizationId],
  )
  // What holds for a deleted project holds for these: nothing of theirs is claimed, sent or asked for.
  await from.query("UPDATE projects SET deleted_at = now() WHERE organization_id = $1", [moving.organizationId])
  await from.query("COMMIT")
  await settled(from, moving, heldAt)
  await from.query("SET lock_timeout = '5s'")
  await from.query(`SELECT pg_advisory_lock(${fenceOf(moving)})`)
  await from.query("RESET lock_timeout")
  // A claim that began before the hold may have been committed after we had looked.
  const late = await underWay(from, moving)
  if (late !== null) throw busy(late)
  await copier.changes()
  await copier.last()
  await move.files(from, moving.projectIds)
  await refuseUncopied(sides, moving)
  // From here on it is the other side's, whatever happens.
  await from.query("BEGIN")
  await from.query("UPDATE cell_moves SET state = 'left', moved_at = now() WHERE organization_id = $1", [
    moving.organizationId,
  ])
  // What it had stays, out of use, for the links in its emails; nobody can restore it, and no sweep removes it.
  await from.query(`UPDATE projects SET deleted_at = '9999-01-01' WHERE organization_id = $1`, [moving.organizationId])
  await from.query("COMMIT")
  await arrive(sides, move, moving)
  const heldMs = performance.now() - heldAt
  await tidy(sides, moving)
  return heldMs
}

/** Waits until nothing is under way: attempts of deliveries and webhooks have ended, and all events are numbered. */
async function settled(from: pg.Client, moving: Moving, heldAt: number) {
  for (;;) {
    const what = await underWay(from, moving)
    const passed = performance.now() - heldAt
    if (what === null && passed > knownMs) return
    if (passed > settleMs) throw busy(what ?? "requests")
    await wait(25)
  }
}

/** What has begun and not ended, by claims that still hold. */
async function underWay(from: pg.Client, { projectIds }: Moving): Promise<string | null> {
  const { rows } = await from.query<{ what: string | null }>(
    `SELECT CASE
        WHEN EXISTS (SELECT 1 FROM deliveries WHERE project_id = ANY ($1) AND unfinished > 0 AND due_at > now()) THEN 'deliveries'
        WHEN EXISTS (SELECT 1 FROM webhook_deliveries WHERE project_id = ANY ($1) AND status = 'processing' AND due_at > now()) THEN 'webhooks'
        WHEN EXISTS (SELECT 1 FROM events WHERE project_id = ANY ($1) AND seq IS NULL) THEN 'events'
      END AS what`,
    [projectIds],
  )
  return rows[0]?.what ?? null
}

function busy(what: string): MoveRefused {
  return new MoveRefused(
    "organization.busy",
    `What was under way (${what}) did not end within ${settleMs / 1_000} s. The organization works here as before: run the command again, and see that a worker runs.`,
  )
}

/** The other side takes over, in one transaction. Can be repeated. */
async function arrive({ from, to }: Sides, move: OrganizationMove, moving: Moving) {
  const { organizationId } = moving
  const state = await stateOf(to, organizationId)
  if (state === "arriving" || state === "returning") {
    const people = await peopleOf(from, organizationId)
    const { rows } = await from.query<{ deleted: Record<string, string> }>(
      "SELECT deleted_projects AS deleted FROM cell_moves WHERE organization_id = $1",
      [organizationId],
    )
    await to.query("BEGIN")
    await addPeople(to, organizationId, people)
    await to.query(advanceNumbers, [moving.projectIds])
    await to.query(
      "UPDATE projects SET deleted_at = ($2::jsonb ->> id::text)::timestamptz WHERE organization_id = $1",
      [organizationId, JSON.stringify(rows[0]?.deleted ?? {})],
    )
    // The old side's workers have stopped: what they had claimed is due now, not when their leases end.
    await to.query("UPDATE imports SET due_at = now() WHERE project_id = ANY ($1) AND status = 'running'", [
      moving.projectIds,
    ])
    await to.query(
      "UPDATE broadcasts SET due_at = now() WHERE project_id = ANY ($1) AND status IN ('preparing', 'sending') AND due_at IS NOT NULL",
      [moving.projectIds],
    )
    await to.query("UPDATE cell_moves SET state = 'arrived', cell = $2, moved_at = now() WHERE organization_id = $1", [
      organizationId,
      move.fromCell,
    ])
    await openTarget(to, moving)
    await recordMove(to, move)
    await to.query("COMMIT")
  }
}

/** In its audit log, with the triggers that chain an entry to those before. */
async function recordMove(to: pg.Client, { organizationId, fromCell, toCell }: OrganizationMove) {
  await to.query("SET LOCAL session_replication_role = origin")
  await to.query(
    "INSERT INTO audit_entries (id, organization_id, actor_kind, action, changes) VALUES ($1, $2, 'operator', 'organization.moved', $3)",
    [newId(), organizationId, JSON.stringify({ cell: { before: fromCell, after: toCell } })],
  )
}

/** The old side has no members of it any more, and no triggers are left. Can be repeated. */
async function tidy({ from, to }: Sides, moving: Moving) {
  await from.query("DELETE FROM members WHERE organization_id = $1", [moving.organizationId])
  // Nothing waits here any more, for whoever counts what does.
  for (const table of ["deliveries", "emails", "webhook_deliveries", "broadcasts", "imports"])
    await from.query(`UPDATE ${table} SET due_at = NULL WHERE project_id = ANY ($1) AND due_at IS NOT NULL`, [
      moving.projectIds,
    ])
  await from.query("SELECT pg_advisory_unlock_all()")
  await removeGuards(from, moving)
  await removeGuards(to, moving)
}

async function keyHashesOf(from: pg.Client, { projectIds }: Moving): Promise<string[]> {
  const { rows } = await from.query<{ hash: string }>(
    `SELECT encode(hash, 'hex') AS hash FROM api_keys WHERE project_id = ANY ($1) AND revoked_at IS NULL ORDER BY id`,
    [projectIds],
  )
  return rows.map(({ hash }) => hash)
}
