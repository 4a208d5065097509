import { randomUUID } from "node:crypto"
import { beforeEach, describe, expect, test, vi } from "vitest"
import { addBelongings } from "@/e2e/support/examples"
import { api, newSession, newWorld, type World } from "@/e2e/support/world"
import { verifyAuditLog } from "@/lib/access/audit/chain/data"
import { sweepPictures } from "@/lib/contacts/images/data"
import { sweepImportFiles } from "@/lib/contacts/imports/data"
import { pool } from "@/lib/platform/database/db"
import { storage } from "@/lib/platform/storage/storage"
import { removableProjects } from "@/lib/projects/data"
import { dispatchAll } from "@/lib/worker/dispatcher"
import { removeProjects } from "@/lib/worker/housekeeping"
import { removalSteps } from "@/lib/worker/removal-sql"

/** Tables with a `project_id` that a removal leaves alone, and why. */
const left: Record<string, string> = {
  audit_entries: "the organization's, and never deleted",
  audience_totals: "one row, which goes with the project's",
  send_allowances: "one row, which goes with the project's",
  allowance_chunks: "some rows, which go with the project's",
  delivery_allowances: "one row, which goes with the project's",
  rate_notices: "some rows, which go with the project's",
  notices: "some rows, which go with the project's",
  notice_targets: "one row, which goes with the project's",
  webhook_hours: "some rows, which go with the webhook's",
  count_deltas: "folded within seconds",
  stored_byte_deltas: "folded within seconds",
  segment_events: "taken within seconds",
}

async function tables(): Promise<string[]> {
  const { rows } = await pool().query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'project_id'
      WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace ORDER BY 1`,
  )
  return rows.map(({ name }) => name)
}

/** How many rows each table has of a project; those that empty themselves are left out. */
async function rowsOf({ projectId }: World): Promise<Record<string, number>> {
  const counted = (await tables()).filter(
    (table) => !["count_deltas", "stored_byte_deltas", "segment_events", "audit_entries"].includes(table),
  )
  const { rows } = await pool().query<{ name: string; n: number }>(
    counted
      .map((table) => `SELECT '${table}' AS name, count(*)::int AS n FROM ${table} WHERE project_id = $1`)
      .join(" UNION ALL "),
    [projectId],
  )
  return Object.fromEntries(rows.filter(({ n }) => n > 0).map(({ name, n }) => [name, n]))
}

type Filled = World & { name: string; cookie: string }

/** A project with something of every kind, most of it in more than one batch. */
async function filled(): Promise<Filled> {
  const world = await newWorld()
  const cookie = await newSession(world.userId)
  const { projectName: name } = await addBelongings(world, cookie)
  await pool().query(
    `INSERT INTO contacts (id, project_id, email) SELECT gen_random_uuid(), $1, 'c' || n || '@lovelace.example'
      FROM generate_series(1, 1200) n`,
    [world.projectId],
  )
  await pool().query(
    `INSERT INTO segment_members (project_id, segment_id, contact_id)
      SELECT c.project_id, s.id, c.id FROM contacts c JOIN segments s ON s.project_id = c.project_id WHERE c.project_id = $1`,
    [world.projectId],
  )
  await pool().query(
    `INSERT INTO suppressions (id, project_id, email, reason) SELECT gen_random_uuid(), $1, email, 'unsubscribe'
      FROM contacts WHERE project_id = $1 LIMIT 600`,
    [world.projectId],
  )
  await pool().query(
    `INSERT INTO events (id, project_id, type, data) SELECT new_event_id(), $1, 'contact.created', '{}'
      FROM generate_series(1, 1100)`,
    [world.projectId],
  )
  await pool().query(
    `INSERT INTO metric_slices (project_id, dimension, grain, starts_at, key)
      SELECT $1, 'tag', 'hour', date_trunc('hour', now()) - make_interval(hours => n), 'a' FROM generate_series(1, 700) n`,
    [world.projectId],
  )
  return { ...world, cookie, name }
}

async function deletedDaysAgo({ cookie, project, projectId, name }: Filled, days: number) {
  const call = { cookie, params: { projectId: project }, query: { name } }
  expect((await api("DELETE /v1/projects/{projectId}", call)).status).toBe(200)
  // A minute more, should the clock of the machine be set back meanwhile.
  await pool().query("UPDATE projects SET deleted_at = now() - make_interval(days => $2, mins => 1) WHERE id = $1", [
    projectId,
    days,
  ])
}

/** Until nothing is left to remove, also by another worker that is at it. */
async function removeAll(remove = removeProjects) {
  while ((await remove(60_000)) || (await removableProjects()).length) continue
}

beforeEach(async () => {
  await removeAll()
})

test("every table that belongs to a project has its step, or its reason why not", async () => {
  const steps = removalSteps.map(({ table }) => table)
  expect([...steps, ...Object.keys(left)].sort()).toEqual(await tables())
  expect(new Set(steps).size).toBe(steps.length)
})

describe("The removal of a project", { timeout: 60_000 }, () => {
  test("leaves nothing of it, and another project with its rows as it was", async () => {
    const [gone, stays] = [await filled(), await filled()]
    await dispatchAll()
    const before = await rowsOf(stays)
    expect(Object.keys(await rowsOf(gone))).toEqual(
      expect.arrayContaining(["emails", "events", "contacts", "webhooks"]),
    )
    await deletedDaysAgo(gone, 7)
    await removeAll()
    expect(await rowsOf(gone)).toEqual({})
    expect(await rowsOf(stays)).toEqual(before)
    const { rows } = await pool().query("SELECT 1 FROM projects WHERE id = $1", [gone.projectId])
    expect(rows).toEqual([])
  })

  test("is in the audit log of its organization, whose chain is whole, and frees the slug", async () => {
    const world = await filled()
    const params = { projectId: world.project }
    const { slug } = (await api("GET /v1/projects/{projectId}", { cookie: world.cookie, params })).json
    await deletedDaysAgo(world, 8)
    await removeAll()
    const { rows } = await pool().query(
      "SELECT actor_kind, target, changes FROM audit_entries WHERE organization_id = $1 AND action = 'project.removed'",
      [world.organizationId],
    )
    expect(rows).toEqual([{ actor_kind: "system", target: world.project, changes: { targetName: world.name, slug } }])
    expect((await verifyAuditLog()).faults).toEqual([])
    const body = { name: "Again", slug, region: "eu-west-1" }
    expect((await api("POST /v1/projects", { cookie: world.cookie, body })).status).toBe(201)
  })

  test("does not begin before 7 days are over, nor of a project that was restored", async () => {
    const [early, restored] = [await filled(), await filled()]
    await deletedDaysAgo(early, 6)
    await deletedDaysAgo(restored, 6)
    const params = { projectId: restored.project }
    await api("POST /v1/projects/{projectId}/restore", { cookie: restored.cookie, params })
    const before = [await rowsOf(early), await rowsOf(restored)]
    await removeAll()
    expect([await rowsOf(early), await rowsOf(restored)]).toEqual(before)
  })

  test("continues after a restart in the middle of it", async () => {
    const world = await filled()
    await deletedDaysAgo(world, 7)
    const whole = await rowsOf(world)
    for (let round = 0; round < 25; round++) expect(await removeProjects(0)).toBe(true)
    const half = await rowsOf(world)
    expect(Object.keys(half).length).toBeLessThan(Object.keys(whole).length)
    expect(half).toMatchObject({ domains: whole.domains })
    vi.resetModules()
    const restarted = await import("@/lib/worker/housekeeping")
    await removeAll(restarted.removeProjects)
    expect(await rowsOf(world)).toEqual({})
  })

  test("by two workers at once ends well, in batches of at most 500 rows", async () => {
    const world = await filled()
    await deletedDaysAgo(world, 7)
    vi.resetModules()
    const second = await import("@/lib/worker/housekeeping")
    await Promise.all([removeAll(), removeAll(second.removeProjects)])
    await removeAll()
    expect(await rowsOf(world)).toEqual({})
    const { rows } = await pool().query(
      "SELECT count(*)::int AS n FROM audit_entries WHERE project_id = $1 AND action = 'project.removed'",
      [world.projectId],
    )
    expect(rows).toEqual([{ n: 1 }])
  })

  test("tells no webhook, and stops no event of others", async () => {
    const [gone, stays] = [await filled(), await filled()]
    const types = ["contact.deleted", "domain.deleted", "suppression.removed"]
    await pool().query("UPDATE webhooks SET events = $1, disabled_at = NULL", [types])
    await deletedDaysAgo(gone, 7)
    await removeAll()
    const { rows } = await pool().query("SELECT 1 FROM events WHERE project_id = $1 LIMIT 1", [gone.projectId])
    expect(rows).toEqual([])
    await pool().query("DELETE FROM contacts WHERE project_id = $1 AND email = 'c1@lovelace.example'", [
      stays.projectId,
    ])
    await dispatchAll()
    const { rows: told } = await pool().query(
      "SELECT event_type FROM webhook_deliveries WHERE project_id = $1 AND event_type = 'contact.deleted'",
      [stays.projectId],
    )
    const { rows: webhooks } = await pool().query("SELECT 1 FROM webhooks WHERE project_id = $1", [stays.projectId])
    expect(webhooks.length).toBeGreaterThan(0)
    expect(told).toHaveLength(webhooks.length)
  })

  test("takes its files with it once they are an hour old", async () => {
    const [gone, stays] = [await filled(), await filled()]
    const store = await storage()
    const picture = (of: World) => `images/${of.projectId}/${randomUUID()}.webp`
    const keys = { gone: picture(gone), stays: picture(stays) }
    for (const [world, key] of [[gone, keys.gone] as const, [stays, keys.stays] as const]) {
      await store.put(key, new Uint8Array([1]), "image/webp")
      await pool().query(
        "UPDATE contacts SET image_key = $2 WHERE project_id = $1 AND email = 'ada@lovelace.example'",
        [world.projectId, key],
      )
    }
    const { rows } = await pool().query<{ object_key: string }>(
      "SELECT object_key FROM imports WHERE project_id = $1 AND object_key IS NOT NULL LIMIT 1",
      [gone.projectId],
    )
    const file = rows[0]?.object_key ?? expect.fail("There is no file of an import.")
    await deletedDaysAgo(gone, 7)
    await removeAll()
    expect(await rowsOf(gone)).toEqual({})
    const later = new Date(Date.now() + 2 * 3600_000)
    const { signal } = new AbortController()
    await sweepPictures(later, signal)
    await sweepImportFiles(later, signal)
    expect(await store.get(keys.gone)).toBe(null)
    expect(await store.get(file)).toBe(null)
    const kept = await store.get(keys.stays)
    await kept?.stream.cancel()
    expect(kept).not.toBeNull()
  })
})
