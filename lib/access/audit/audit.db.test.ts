import { beforeEach, describe, expect, test, vi } from "vitest"
import { addPersonAudit, type NewAuditEntry } from "@/lib/access/audit/data"
import type { AuditAction } from "@/lib/access/audit/rules"
import { createSealing, sealAuditLog, verifyAuditLog } from "@/lib/access/audit/chain/data"
import { api, newMember, newSession, newWorld, type World } from "@/e2e/support/world"
import { adminCommands } from "@/lib/cli/admin-commands"
import { pool, unscoped, unscopedTransaction } from "@/lib/platform/database/db"
import { decodeId, encodeId } from "@/lib/platform/ids"

let world: World
beforeEach(async () => {
  world = await newWorld()
})

const entry = (nth: number): NewAuditEntry => ({
  // No action of the product, so that what others have written is not found with it.
  action: "test.written" as AuditAction,
  target: `${nth}`,
  changes: { before: nth, after: nth + 1 },
})
const at = () => ({ organizationId: world.organizationId, userId: world.userId, ip: "192.0.2.1" })

async function write(count: number) {
  for (let nth = 0; nth < count; nth++) await unscopedTransaction((tx) => addPersonAudit(at(), entry(nth), tx))
}

const faultHere = async () =>
  (await verifyAuditLog()).faults.find(({ organizationId }) => organizationId === world.organizationId)

/** As somebody with every right in the database would: past the triggers. */
async function tamper(text: string) {
  const client = await pool().connect()
  try {
    await client.query("BEGIN")
    await client.query("SET LOCAL session_replication_role = replica")
    await client.query(text.replaceAll("$org", `'${world.organizationId}'::uuid`))
    await client.query("COMMIT")
  } catch (error) {
    await client.query("ROLLBACK")
    throw error
  } finally {
    client.release()
  }
}

async function repaired(work: () => Promise<void>) {
  await work()
  const fault = await faultHere()
  // The tests of this file share a database: what was broken goes.
  await tamper("DELETE FROM audit_links WHERE organization_id = $org")
  await tamper("DELETE FROM audit_heads WHERE organization_id = $org")
  await tamper("DELETE FROM audit_entries WHERE organization_id = $org")
  return fault
}

describe("the chain of audit entries", () => {
  test("is whole after many writers at once, some of whom give up", async () => {
    const writers = Array.from({ length: 12 }, async (_, writer) => {
      for (let nth = 0; nth < 10; nth++) {
        const work = unscopedTransaction(async (tx) => {
          await addPersonAudit(at(), entry(nth), tx)
          if (nth % 5 === writer % 5) throw new Error("given up")
        })
        await work.catch((error: Error) => expect(error.message).toBe("given up"))
      }
    })
    await Promise.all(writers)
    const { rows } = await pool().query<{ entries: number; last: number }>(
      `SELECT (SELECT count(*)::int FROM audit_entries WHERE organization_id = $1 AND action = 'test.written') AS entries,
        (SELECT position::int FROM audit_heads WHERE organization_id = $1) AS last`,
      [world.organizationId],
    )
    expect(rows[0]?.entries).toBe(96)
    expect(rows[0]?.last).toBeGreaterThanOrEqual(96)
    expect(await faultHere()).toBeUndefined()
  })

  test("makes nobody wait for a transaction that is still open", async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    let wrote = () => {}
    const begun = new Promise<void>((resolve) => (wrote = resolve))
    const slow = unscopedTransaction(async (tx) => {
      await addPersonAudit(at(), entry(1), tx)
      wrote()
      await held
    })
    await begun
    await unscopedTransaction((tx) => addPersonAudit(at(), entry(2), tx))
    release()
    await slow
    expect(await faultHere()).toBeUndefined()
  })

  test.each(["audit_entries", "audit_links", "audit_heads"])(
    "refuses UPDATE, DELETE and TRUNCATE of %s",
    async (table) => {
      await write(1)
      for (const text of [
        `UPDATE ${table} SET organization_id = organization_id`,
        `DELETE FROM ${table}`,
        `TRUNCATE ${table} CASCADE`,
      ])
        await expect(pool().query(text)).rejects.toThrow(/never changed or deleted/)
    },
  )

  const third = "(SELECT entry_id FROM audit_links WHERE organization_id = $org AND position = 3)"
  test.each<[string, string, number, RegExp]>([
    ["an edited entry", `UPDATE audit_entries SET changes = '{"before":0}' WHERE id = ${third}`, 3, /changed or moved/],
    [
      "an edited time",
      `UPDATE audit_entries SET created_at = created_at + interval '1 hour' WHERE id = ${third}`,
      3,
      /changed/,
    ],
    ["another actor", `UPDATE audit_entries SET actor_id = NULL WHERE id = ${third}`, 3, /changed or moved/],
    ["a removed entry", `DELETE FROM audit_entries WHERE id = ${third}`, 3, /entry was removed/],
    [
      "a removed entry with its link",
      `DELETE FROM audit_links WHERE organization_id = $org AND position = 3`,
      3,
      /link at this position is missing/,
    ],
    [
      "entries that changed places",
      ["-3 WHERE position = 3", "3 WHERE position = 4", "4 WHERE position = -3"]
        .map((move) => `UPDATE audit_links SET position = ${move} AND organization_id = $org`)
        .join(";"),
      3,
      /does not follow/,
    ],
    [
      "an inserted entry",
      `INSERT INTO audit_entries (id, organization_id, actor_kind, action) VALUES (gen_random_uuid(), $org, 'user', 'test.forged')`,
      0,
      /added past it/,
    ],
    [
      "entries cut off at the end",
      "DELETE FROM audit_links WHERE organization_id = $org AND position >= 5",
      5,
      /ends at 4 of/,
    ],
    [
      "a chain that has lost its end",
      "DELETE FROM audit_heads WHERE organization_id = $org",
      6,
      /end of the chain is missing/,
    ],
    [
      "a hash that was computed anew",
      `UPDATE audit_links SET hash = sha256('x') WHERE organization_id = $org AND position = 2`,
      2,
      /changed or moved/,
    ],
  ])("shows %s, and names it", async (_, text, position, fault) => {
    await write(6)
    const found = await repaired(async () => {
      await tamper(text)
    })
    expect(found).toMatchObject({ fault: expect.stringMatching(fault) })
    if (position !== 6) expect(found?.position).toBe(position)
  })

  test("is checked by a command, which fails with the first wrong entry", async () => {
    const run = await adminCommands["verify-audit-log"]?.([])
    expect(await run?.()).toMatchObject({ organizations: expect.any(Number), entries: expect.any(Number) })
    await write(3)
    let said = ""
    await repaired(async () => {
      await tamper("UPDATE audit_entries SET action = 'test.forged' WHERE organization_id = $org AND target = '1'")
      await run?.().catch((error: Error) => (said = error.message))
    })
    expect(said).toMatch(
      new RegExp(`^aud_\\w{26}, position \\d+ in the chain of ${encodeId("org", world.organizationId)}: .*changed`),
    )
  })
})

/** Moves the end of the chain back to a link, as if nothing had followed. */
const cutAfter = (position: number) =>
  [
    `DELETE FROM audit_entries WHERE id IN (SELECT entry_id FROM audit_links WHERE organization_id = $org AND position > ${position})`,
    `DELETE FROM audit_links WHERE organization_id = $org AND position > ${position}`,
    `UPDATE audit_heads h SET position = l.position, hash = l.hash FROM audit_links l
      WHERE h.organization_id = $org AND l.organization_id = $org AND l.position = ${position}`,
  ].join(";")

const wholeChain = ["audit_links", "audit_heads", "audit_entries"]
  .map((table) => `DELETE FROM ${table} WHERE organization_id = $org`)
  .join(";")

/** Writes every link from a position on anew, so that the chain fits. */
const forgeFrom = (position: number) => `DO $$
  DECLARE l record; previous bytea; BEGIN
    SELECT previous_hash INTO previous FROM audit_links WHERE organization_id = $org AND position = ${position};
    FOR l IN SELECT k.position, e AS entry FROM audit_links k JOIN audit_entries e ON e.id = k.entry_id
      WHERE k.organization_id = $org AND k.position >= ${position} ORDER BY k.position LOOP
      UPDATE audit_links SET previous_hash = previous, hash = sha256(previous || audit_entry_content(l.position, l.entry))
        WHERE organization_id = $org AND audit_links.position = l.position RETURNING hash INTO previous;
    END LOOP;
    UPDATE audit_heads SET hash = previous WHERE organization_id = $org;
  END $$`

describe("the seals of the chains, whose key the database does not have,", () => {
  const tables = ["audit_links", "audit_heads", "audit_entries", "audit_seals", "audit_seal_total"]
  const sealed = async () => {
    while ((await sealAuditLog(new Date())) === "more");
  }

  test("cover every entry, and nothing is wrong with what they cover", async () => {
    await write(6)
    await sealed()
    await write(2)
    const before = await verifyAuditLog()
    expect(before.faults).toEqual([])
    expect(before.entries - before.sealed).toBe(2)
    await sealed()
    const after = await verifyAuditLog()
    expect(after).toMatchObject({ faults: [], sealed: after.entries })
  })

  test("are looked for only where something was added, and cover it in the next round", async () => {
    const seal = createSealing()
    const all = async () => {
      while (await seal());
      const { entries, sealed } = await verifyAuditLog()
      return entries - sealed
    }
    await write(2)
    expect(await all(), "entries without a seal after the first round").toBe(0)
    const transactions = vi.spyOn(unscoped(), "$transaction")
    expect(await seal()).toBe(false)
    expect(transactions, "transactions where nothing was added").not.toHaveBeenCalled()
    await write(1)
    expect(transactions, "transactions that add an entry").toHaveBeenCalled()
    transactions.mockRestore()
    expect(await all(), "entries without a seal after one was added").toBe(0)
  })

  test.each<[string, string, RegExp]>([
    [
      "the last entry was removed with its link, and the end moved back",
      cutAfter(5),
      /entries at the end were removed/,
    ],
    ["all of a chain was removed", wholeChain, /whole chain was removed/],
    [
      "all of a chain was removed with its seal",
      `${wholeChain};DELETE FROM audit_seals WHERE organization_id = $org`,
      /a seal was removed or moved back/,
    ],
    [
      "an entry was changed and the chain computed anew",
      `UPDATE audit_entries SET changes = '{"before":0}' WHERE id = (SELECT entry_id FROM audit_links WHERE organization_id = $org AND position = 4);${forgeFrom(4)}`,
      /others than were sealed/,
    ],
    [
      "a chain was cut and its seal written for it",
      `${cutAfter(5)};UPDATE audit_seals s SET position = h.position, hash = h.hash FROM audit_heads h
        WHERE s.organization_id = $org AND h.organization_id = $org`,
      /seal was not made with/,
    ],
    [
      "the sum was written anew",
      "UPDATE audit_seal_total SET organizations = organizations - 1",
      /sum of the seals was not/,
    ],
    ["the sum was removed", "DELETE FROM audit_seal_total", /sum of the seals is missing/],
  ])("show that %s, before and after the worker's next round", async (_, text, fault) => {
    await write(6)
    await sealed()
    for (const table of tables) await pool().query(`CREATE TABLE kept_${table} AS SELECT * FROM ${table}`)
    await tamper(text)
    const faults = async () => (await verifyAuditLog()).faults.map((found) => found.fault)
    expect((await faults())[0]).toMatch(fault)
    await sealed()
    expect((await faults())[0]).toMatch(fault)
    for (const table of tables) {
      await tamper(`DELETE FROM ${table};INSERT INTO ${table} SELECT * FROM kept_${table}`)
      await pool().query(`DROP TABLE kept_${table}`)
    }
    expect(await faults()).toEqual([])
  })

  test("are not made for what does not follow them", async () => {
    await write(3)
    await sealed()
    await write(2)
    await tamper("UPDATE audit_entries SET action = 'test.forged' WHERE organization_id = $org AND target = '1'")
    await sealed()
    expect((await faultHere())?.fault).toMatch(/changed or moved/)
    const { rows } = await pool().query("SELECT position::int FROM audit_seals WHERE organization_id = $1", [
      world.organizationId,
    ])
    const [{ position }] = rows as [{ position: number }]
    expect(position).toBe(3)
  })

  test("are missed after an hour", async () => {
    await write(1)
    const later = new Date(Date.now() + 2 * 3_600_000)
    const found = (await verifyAuditLog(later)).faults.find(
      ({ organizationId }) => organizationId === world.organizationId,
    )
    expect(found).toMatchObject({ position: 1, fault: expect.stringMatching(/no seal after an hour/) })
  })
})

describe("the list of audit entries", () => {
  const route = "GET /v1/projects/{projectId}/audit-entries"
  const list = async (cookie: string, query: Record<string, string> = {}) =>
    api(route, { cookie, params: { projectId: world.project }, query })

  test("shows who did what, with before and after, newest first, by cursor and filters", async () => {
    await write(5)
    const cookie = await newSession(world.userId)
    const first = (await list(cookie, { size: "2", action: "test" })).json
    expect(first.data.map(({ target }: { target: string }) => target)).toEqual(["4", "3"])
    expect(first.data[0]).toMatchObject({
      action: "test.written",
      actor: { kind: "user", id: encodeId("usr", world.userId), name: expect.stringContaining("@") },
      changes: { before: 4, after: 5 },
      ip: "192.0.2.1",
      position: expect.any(Number),
    })
    const second = (await list(cookie, { size: "2", action: "test", after: first.cursor.nextCursor })).json
    expect(second.data.map(({ target }: { target: string }) => target)).toEqual(["2", "1"])
    const back = (await list(cookie, { size: "2", action: "test", after: second.cursor.previousCursor })).json
    expect(back.data.map(({ target }: { target: string }) => target)).toEqual(["4", "3"])
    expect((await list(cookie, { target: "3" })).json.data).toHaveLength(1)
    expect(
      (await list(cookie, { actor: encodeId("usr", decodeId("usr", encodeId("usr", world.userId)) ?? "") })).json.data
        .length,
    ).toBeGreaterThan(4)
    expect((await list(cookie, { project: "this", action: "test" })).json.data).toEqual([])
    expect((await list(cookie, { to: "2020-01-01T00:00:00Z" })).json.data).toEqual([])
    expect((await list(cookie, { actor: "nobody" })).status).toBe(400)
  })

  test("names what was changed as it was called then, and finds an area by either spelling of its actions", async () => {
    const cookie = await newSession(world.userId)
    const params = { projectId: world.project }
    const topics = "POST /v1/projects/{projectId}/topics"
    const made = await api(topics, { cookie, params, body: { name: "News", defaultSubscription: "opt_in" } })
    const renaming = { cookie, params: { ...params, topicId: made.json.id }, body: { name: "Weekly news" } }
    await api("PATCH /v1/projects/{projectId}/topics/{topicId}", renaming)
    await api("POST /v1/projects/{projectId}/segments", { cookie, params, body: { name: "Readers" } })
    const shown = (entries: Record<string, unknown>[]) =>
      entries.map(({ action, targetName, changes }) => ({ action, targetName, changes }))
    expect(shown((await list(cookie, { action: "topic" })).json.data)).toEqual([
      {
        action: "topic.updated",
        targetName: "Weekly news",
        changes: { name: { before: "News", after: "Weekly news" } },
      },
      {
        action: "topic.created",
        targetName: "News",
        changes: { defaultSubscription: "opt_in", visibility: expect.any(String) },
      },
    ])
    const [segment] = (await list(cookie, { action: "segment" })).json.data
    expect(segment).toMatchObject({ action: "segments.create", targetName: "Readers" })
    await unscopedTransaction((tx) =>
      addPersonAudit(at(), { action: "segments.create", target: "seg_old", changes: { name: "Before names" } }, tx),
    )
    expect((await list(cookie, { target: "seg_old" })).json.data[0].targetName).toBe("Before names")
  })

  test("is for owners and admins, and never shows another organization", async () => {
    await write(1)
    expect((await list((await newMember(world, "admin")).cookie)).status).toBe(200)
    expect((await list((await newMember(world, "developer")).cookie)).status).toBe(403)
    expect((await api(route, { key: world.apiKey, params: { projectId: world.project } })).status).toBe(403)
    const other = await newWorld()
    const cookie = await newSession(other.userId)
    const seen = (await api(route, { cookie, params: { projectId: other.project } })).json
    expect(seen.data.filter(({ action }: { action: string }) => action === "test.written")).toEqual([])
  })
})
