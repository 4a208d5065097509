import { randomUUID } from "node:crypto"
import { setTimeout as wait } from "node:timers/promises"
import pg from "pg"
import { afterAll, beforeAll, expect, test } from "vitest"
import { figures } from "@/e2e/support/chaos/figures"
import { size } from "@/e2e/support/chaos/size"
import { addressesOf, create, newBroadcaster, newMembers, runDue } from "@/e2e/support/broadcasting"
import { freshDatabase, type TestDatabase } from "@/e2e/support/database"
import { faultServer } from "@/e2e/support/delivery/fault-server"
import { copyEmail } from "@/e2e/support/delivery/email-copies"
import {
  deliverDue,
  deliveryRows,
  emailRow,
  newSending,
  relayAt,
  sendMail,
  type Sending,
} from "@/e2e/support/delivery/sending"
import { api, untilServed } from "@/e2e/support/world"
import { verifyAuditLog } from "@/lib/access/audit/chain/data"
import { adminCommands } from "@/lib/cli/admin-commands"
import { claimBroadcasts } from "@/lib/broadcasts/sending/data"
import { newClient } from "@/lib/platform/database/client"
import { showUnsubscribe } from "@/lib/tracking/links"
import { unsubscribeToken } from "@/lib/delivery/message/unsubscribe"
import { hmac } from "@/lib/platform/crypto"
import { closeDatabase, pool } from "@/lib/platform/database/db"
import { env, provideEnv } from "@/lib/platform/env/env"
import { formatNumber } from "@/lib/platform/format"
import { encodeId } from "@/lib/platform/ids"
import { moveSchemaOf } from "@/lib/platform/postgres/move/guards"
import { ways } from "@/lib/platform/postgres/move/tables"
import { dispatchAll } from "@/lib/worker/dispatcher"
import { removeProjects } from "@/lib/worker/housekeeping"

const emails = size(2_000, 100_000)
const limitMs = size(180_000, 1_800_000)
const heldMaxSeconds = 10

const here = env().databaseUrl
let there: TestDatabase
beforeAll(async () => {
  there = await freshDatabase(`cell_${randomUUID().slice(0, 8)}`)
})
afterAll(async () => {
  await use(here, "a1")
  await there.drop()
})

/** This process is of one cell at a time: after a second it has forgotten the keys of the other one. */
async function use(url: string, cell: string) {
  await closeDatabase()
  provideEnv({ DATABASE_URL: url, CELL: cell })
  await wait(1_000)
}

function move(sender: Sending, ...more: string[]) {
  return moveTo(sender, { url: there.url, cell: "b1" }, ...more)
}

const moveBack = (sender: Sending) => moveTo(sender, { url: here, cell: "a1" })

async function moveTo(sender: Sending, { url, cell }: { url: string; cell: string }, ...more: string[]) {
  const organization = encodeId("org", sender.organizationId)
  const address = `https://${cell}.mail.example.com`
  const args = ["--organization", organization, "--to", url, "--cell", cell, "--address", address, ...more]
  const run = await adminCommands["move-organization"]?.(args)
  return (await run?.()) as Record<string, unknown>
}

async function idsOf(table: string, projectId: string): Promise<string[]> {
  const { rows } = await pool().query<{ id: string }>(
    `SELECT id FROM ${table} WHERE project_id = $1 ORDER BY ${table === "events" ? "seq, id" : "id"}`,
    [projectId],
  )
  return rows.map(({ id }) => id)
}

async function projectIds({ organizationId }: Sending): Promise<string[]> {
  const { rows } = await pool().query<{ id: string }>("SELECT id FROM projects WHERE organization_id = $1", [
    organizationId,
  ])
  return rows.map(({ id }) => id)
}

async function answerOf(sender: Sending, key: string) {
  const body = {
    from: `hello@${sender.domain}`,
    to: ["ada@lovelace.example"],
    subject: "Load",
    text: "Hi",
    idempotencyKey: key,
  }
  return api("POST /v1/emails", { key: sender.apiKey, body })
}

test("every table says how it moves", async () => {
  const { rows } = await pool().query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition
      AND relnamespace = 'public'::regnamespace AND relname NOT LIKE '\\_%' ORDER BY 1`,
  )
  expect(rows.map(({ name }) => name)).toEqual(Object.keys(ways).toSorted())
})

test(
  `an organization with ${formatNumber(emails)} emails moves to another cell while it works: held for at most ${heldMaxSeconds} s, nothing lost, nothing doubled, others undisturbed`,
  async () => {
    await use(here, "a1")
    const relay = await faultServer({})
    const relays = relayAt(relay.port)
    const [sender, other] = [await newSending(), await newSending()]
    await addWebhook(sender)
    const [delivered = ""] = await sendMail(sender)
    await deliverDue(relays)
    await dispatchAll()
    await copyEmail(delivered, { url: here, copies: emails, undispatched: true })
    await dispatchAll()
    const [scheduled = ""] = await sendMail(sender, { scheduledAt: new Date(Date.now() + 3_600_000).toISOString() })
    const [waiting = ""] = await sendMail(sender)
    await dispatchAll()
    await addSuppression(sender, "grace@hopper.example")
    const first = await answerOf(sender, "before")
    const lastEvent = (await idsOf("events", sender.projectId)).at(-1) ?? ""
    const sentBefore = relay.messages.length

    // Callers of the organization send all the while and repeat what is refused; those of another one send beside them.
    const ended = new AbortController()
    const accepted = new Map<string, string>()
    const refusals: number[] = []
    const load = repeat(ended.signal, 300, async (turn) => {
      const { status, json } = await answerOf(sender, `load ${turn}`)
      if (status === 201) accepted.set(`load ${turn}`, json.id)
      else refusals.push(status)
    })
    const others: number[] = []
    const otherLoad = repeat(ended.signal, 250, async () => {
      const startedAt = performance.now()
      await sendMail(other)
      others.push(performance.now() - startedAt)
    })
    const dispatching = repeat(ended.signal, 100, async () => void (await dispatchAll()))
    const bystander = newClient(there.url, "test", {})
    await bystander.connect()
    const beside: number[] = []
    const thereLoad = repeat(ended.signal, 50, async () => {
      const startedAt = performance.now()
      await bystander.query("INSERT INTO organizations (id, name) VALUES (gen_random_uuid(), 'beside')")
      beside.push(performance.now() - startedAt)
    })
    const startedAt = performance.now()
    const moved = await move(sender)
    const seconds = (performance.now() - startedAt) / 1_000
    ended.abort()
    await Promise.all([load, otherLoad, dispatching, thereLoad])
    await bystander.end()

    expect(moved).toMatchObject({ moved: true, cell: "b1" })
    expect(moved.heldSeconds).toBeLessThan(heldMaxSeconds)
    expect([...new Set(refusals)].filter((status) => status !== 503 && status !== 421)).toEqual([])
    // A process may know for a second more that the organization was held.
    const late = async () => (await answerOf(sender, "late")).json
    await expect.poll(late).toMatchObject({ code: "organization.moved" })
    const before = {
      emails: await idsOf("emails", sender.projectId),
      events: await idsOf("events", sender.projectId),
      hooks: await idsOf("webhook_deliveries", sender.projectId),
    }
    await deliverDue(relays)
    const ofOther = relay.messages.length - sentBefore
    expect(ofOther, "the old cell sends what is the other organization's, and nothing of what has left").toBe(
      others.length,
    )

    const dueHere = await pool().query("SELECT id FROM deliveries WHERE project_id = $1 AND due_at IS NOT NULL", [
      sender.projectId,
    ])
    expect(dueHere.rows, "nothing of it waits here").toEqual([])

    await use(there.url, "b1")
    expect(await idsOf("emails", sender.projectId)).toEqual(before.emails)
    expect((await idsOf("events", sender.projectId)).slice(0, before.events.length)).toEqual(before.events)
    for (const id of accepted.values()) expect(before.emails.map((one) => encodeId("email", one))).toContain(id)
    expect((await answerOf(sender, "before")).json.id, "an idempotency key is known").toBe(first.json.id)
    for (const [key, id] of accepted) expect((await answerOf(sender, key)).json.id).toBe(id)
    expect(await emailRow(scheduled)).toMatchObject({ status: "scheduled" })
    const suppressed = await sendMail(sender, { to: ["grace@hopper.example"] })
    expect(await emailRow(suppressed[0] ?? "")).toMatchObject({ status: "suppressed" })
    const fresh = await sendMail(sender)
    await dispatchAll()
    const events = await idsOf("events", sender.projectId)
    expect(events.indexOf(lastEvent)).toBe(before.events.indexOf(lastEvent))
    const numbers = await numbersOf(sender.projectId)
    expect(
      numbers,
      "a stream goes on behind its last event: later numbers are higher, and none is given twice",
    ).toEqual([...new Set(numbers)].toSorted((a, b) => (a < b ? -1 : 1)))
    const hooks = await idsOf("webhook_deliveries", sender.projectId)
    expect(hooks.length, "what waits for the webhook waits there").toBeGreaterThan(emails)
    expect(hooks).toEqual(before.hooks)

    const sentAtMove = relay.messages.length
    const due = relayAt(relay.port)
    await deliverDue(due)
    const expected = accepted.size + 2 + fresh.length
    expect(relay.messages.length - sentAtMove, "what waited is sent once, by the new cell").toBe(expected)
    expect(await emailRow(waiting)).toMatchObject({ status: "delivered" })
    await due.close()
    await relays.close()
    await relay.close()
    expect((await verifyAuditLog()).faults).toEqual([])
    expect(await guardsLeft(there.url, sender.organizationId)).toBe(0)
    expect(await guardsLeft(here, sender.organizationId)).toBe(0)
    figures(`an organization of ${formatNumber(emails)} emails moves`, {
      rows: Number(moved.rows),
      seconds,
      "seconds held": Number(moved.heldSeconds),
      "longest send of another organization, ms": Math.max(...others),
      "longest write in the other cell, ms": Math.max(...beside),
    })
  },
  limitMs,
)

test("a move that breaks off is undone or done again, and never leaves the organization in two cells", async () => {
  await use(here, "a1")
  const sender = await newSending()
  const [waiting = ""] = await sendMail(sender)
  // No dispatcher runs: its events are never numbered, so it cannot be held.
  await expect(move(sender)).rejects.toMatchObject({ code: "organization.busy" })
  expect((await untilServed(() => answerOf(sender, "works"))).status, "it works as before").toBe(201)
  expect(await guardsLeft(here, sender.organizationId)).toBe(0)
  expect(await move(sender, "--undo", "yes")).toMatchObject({ moved: false })
  const target = new pg.Client({ connectionString: there.url })
  await target.connect()
  const copies = await target.query("SELECT 1 FROM emails WHERE project_id = $1", [sender.projectId])
  expect(copies.rows, "what was copied is gone").toHaveLength(0)
  await target.end()

  await dispatchAll()
  const moving = move(sender)
  const dispatching = new AbortController()
  const dispatched = repeat(dispatching.signal, 50, async () => void (await dispatchAll()))
  expect(await moving).toMatchObject({ moved: true })
  dispatching.abort()
  await dispatched
  await expect(move(sender, "--undo", "yes")).rejects.toMatchObject({ code: "organization.moved" })
  expect(await move(sender), "done again, it changes nothing").toMatchObject({ moved: true, rows: 0 })
  const [delivery] = await deliveryRows(waiting)
  const page = await showUnsubscribe(unsubscribeToken(delivery.id, hmac))
  expect([page.status, page.headers.get("location")], "a link of before leads to the new cell").toEqual([
    302,
    expect.stringMatching(/^https:\/\/b1\.mail\.example\.com\/u\/[\w-]{44}$/),
  ])
  await addReturned(sender, { deliveryId: delivery.id, emailId: waiting })
  expect(await move(sender), "mail that comes back to the old cell is carried over").toMatchObject({ rows: 1 })
  expect(await move(sender), "once").toMatchObject({ rows: 0 })
  await use(there.url, "b1")
  expect(await emailRow(waiting)).toMatchObject({ status: "queued" })
  const returned = await pool().query("SELECT due_at IS NOT NULL AS due FROM inbound_messages WHERE project_id = $1", [
    sender.projectId,
  ])
  expect(returned.rows).toEqual([{ due: true }])
}, 120_000)

test("a move back that breaks off leaves the way to the new cell as it was; done again, it brings back what is there now", async () => {
  await use(here, "a1")
  const sender = await newSending()
  const removed = await newSending()
  await pool().query("UPDATE projects SET organization_id = $2 WHERE id = $1", [
    removed.projectId,
    sender.organizationId,
  ])
  const [old = ""] = await sendMail(sender)
  await sendMail(removed)
  await addSuppression(sender, "grace@hopper.example")
  await dispatchAll()
  expect(await move(sender)).toMatchObject({ moved: true })
  const [delivery] = await deliveryRows(old)
  await addReturned(sender, { deliveryId: delivery.id, emailId: old })

  await use(there.url, "b1")
  await pool().query("DELETE FROM suppressions WHERE project_id = $1", [sender.projectId])
  await pool().query("UPDATE projects SET deleted_at = now() - interval '30 days' WHERE id = $1", [removed.projectId])
  await expect.poll(async () => (await removeProjects(10_000)) || (await projectIds(sender)).length).toBe(1)
  const [fresh = ""] = await sendMail(sender)
  // No dispatcher runs: its events are never numbered, so it cannot be held.
  await expect(moveBack(sender)).rejects.toMatchObject({ code: "organization.busy" })
  const carried = await pool().query(
    "SELECT outcome, due_at IS NOT NULL AS due FROM inbound_messages WHERE project_id = $1",
    [sender.projectId],
  )
  expect(carried.rows, "what came back to the old cell meanwhile is not lost").toEqual([{ outcome: null, due: true }])
  expect((await untilServed(() => answerOf(sender, "works"))).status, "it works there as before").toBe(201)

  await use(here, "a1")
  expect((await answerOf(sender, "late")).json).toMatchObject({ code: "organization.moved" })
  const page = await showUnsubscribe(unsubscribeToken(delivery.id, hmac))
  expect([page.status, page.headers.get("location")]).toEqual([302, expect.stringMatching(/^https:\/\/b1\./)])
  const state = (to: string) =>
    pool().query("UPDATE cell_moves SET state = $2 WHERE organization_id = $1", [sender.organizationId, to])
  await state("returning")
  expect((await untilServed(() => answerOf(sender, "late"))).json).toMatchObject({ code: "organization.moved" })
  await expect(move(sender), "it is the new cell's to give").rejects.toMatchObject({ code: "move.arriving" })
  await state("left")

  await pool().query("ALTER TABLE emails ADD CONSTRAINT broken CHECK (subject <> 'Load') NOT VALID")

  await use(there.url, "b1")
  await dispatchAll()
  await expect(moveBack(sender), "in the middle of the copy").rejects.toThrow(/violates check constraint "broken"/)
  for (const url of [here, there.url]) expect(await guardsLeft(url, sender.organizationId)).toBe(0)
  await use(here, "a1")
  expect((await answerOf(sender, "late")).json).toMatchObject({ code: "organization.moved" })
  expect(await emailRow(old), "what was left is still there").toMatchObject({ status: "queued" })
  await pool().query("ALTER TABLE emails DROP CONSTRAINT broken")
  // As a command that was killed leaves it; the same command is run again.
  await state("returning")

  await use(there.url, "b1")
  const events = await idsOf("events", sender.projectId)
  expect(await moveBack(sender)).toMatchObject({ moved: true, cell: "a1" })
  await expect.poll(async () => (await answerOf(sender, "late")).json).toMatchObject({ code: "organization.moved" })

  await use(here, "a1")
  expect(await idsOf("events", sender.projectId)).toEqual(events)
  expect(await emailRow(fresh)).toMatchObject({ status: "queued" })
  expect((await untilServed(() => answerOf(sender, "back"))).status).toBe(201)
  expect((await showUnsubscribe(unsubscribeToken(delivery.id, hmac))).status).toBe(200)
  const suppressions = await pool().query("SELECT 1 FROM suppressions WHERE project_id = $1", [sender.projectId])
  expect(suppressions.rows, "what was removed there is gone here").toEqual([])
  expect(await projectIds(sender), "a project too").toEqual([sender.projectId])
  expect(await idsOf("emails", removed.projectId), "with its emails").toEqual([])
  for (const url of [here, there.url]) expect(await guardsLeft(url, sender.organizationId)).toBe(0)
  expect((await verifyAuditLog()).faults).toEqual([])
  const moves = await pool().query(
    "SELECT actor_kind, changes FROM audit_entries WHERE organization_id = $1 AND action = 'organization.moved' ORDER BY id",
    [sender.organizationId],
  )
  expect(moves.rows, "its audit log has both moves").toEqual([
    { actor_kind: "operator", changes: { cell: { before: "a1", after: "b1" } } },
    { actor_kind: "operator", changes: { cell: { before: "b1", after: "a1" } } },
  ])
  await dispatchAll()
  expect(await move(sender), "and so on").toMatchObject({ moved: true, cell: "b1" })
}, 120_000)

test("a broadcast that a worker of the old cell was sending goes on at once at the new one, to each person once", async () => {
  await use(here, "a1")
  const sender = await newBroadcaster()
  const { segmentId, emails: people } = await newMembers(sender, 100)
  const id = await create(sender, [segmentId])
  expect(await claimBroadcasts(10, 60_000)).toHaveLength(1)
  await dispatchAll()
  expect(await move(sender)).toMatchObject({ moved: true })

  await use(there.url, "b1")
  await runDue()
  expect(await addressesOf(id)).toEqual(people)
}, 60_000)

test("a membership reaches nobody through an account that another has set up at the new cell", async () => {
  await use(here, "a1")
  const sender = await newSending()
  const target = newClient(there.url, "test", {})
  await target.connect()
  const ids = {
    taken: randomUUID(),
    unknown: randomUUID(),
    copied: randomUUID(),
    kept: randomUUID(),
    own: randomUUID(),
  }
  const emailOf = (name: string) => `${name}-${sender.organizationId}@example.com`
  for (const [name, id] of Object.entries(ids)) {
    const proven = ["taken", "copied", "own"].includes(name)
    await pool().query(
      "INSERT INTO users (id, email, password_hash, email_proven_at) VALUES ($1, $2, 'of the old cell', CASE WHEN $3 THEN now() END)",
      [id, emailOf(name), proven],
    )
    await pool().query("INSERT INTO members (organization_id, user_id, role) VALUES ($1, $2, 'admin')", [
      sender.organizationId,
      id,
    ])
    // Copied by an earlier move, or made there by somebody else.
    const idThere = name === "copied" || name === "kept" ? id : randomUUID()
    await target.query(
      "INSERT INTO users (id, email, password_hash, email_proven_at) VALUES ($1, $2, 'of the new cell', CASE WHEN $3 THEN now() END)",
      [idThere, emailOf(name), name === "own"],
    )
    await target.query("INSERT INTO identities (provider, subject, user_id) VALUES ('github', $1, $2)", [
      `theirs ${idThere}`,
      idThere,
    ])
    await target.query(
      "INSERT INTO sessions (id, user_id, expires_at) VALUES (gen_random_uuid(), $1, now() + interval '1 day')",
      [idThere],
    )
  }
  for (const id of [ids.taken, ids.copied]) {
    await pool().query("INSERT INTO identities (provider, subject, user_id) VALUES ('google', $1, $2)", [
      `own ${id}`,
      id,
    ])
    await pool().query("INSERT INTO totp_factors (user_id, secret, confirmed_at) VALUES ($1, '\\x01', now())", [id])
  }
  await dispatchAll()
  expect(await move(sender)).toMatchObject({ moved: true })

  const { rows } = await target.query(
    `SELECT split_part(u.email, '-', 1) AS name, u.password_hash AS password, u.email_proven_at IS NOT NULL AS proven,
        (SELECT array_agg(i.provider) FROM identities i WHERE i.user_id = u.id) AS identities,
        EXISTS (SELECT 1 FROM totp_factors f WHERE f.user_id = u.id) AS app,
        EXISTS (SELECT 1 FROM sessions s WHERE s.user_id = u.id AND s.revoked_at IS NULL) AS "signedIn"
      FROM members m JOIN users u ON u.id = m.user_id WHERE m.organization_id = $1 AND u.email = ANY ($2) ORDER BY 1`,
    [sender.organizationId, Object.keys(ids).map(emailOf)],
  )
  await target.end()
  const closed = { password: null, identities: null, app: false, signedIn: false }
  const asBefore = { password: "of the new cell", identities: ["github"], app: false, signedIn: true }
  expect(rows).toEqual([
    { name: "copied", proven: true, password: "of the old cell", identities: ["google"], app: true, signedIn: false },
    { name: "kept", proven: false, ...asBefore },
    { name: "own", proven: true, ...asBefore },
    { name: "taken", proven: true, ...closed, identities: ["google"] },
    { name: "unknown", proven: false, ...closed },
  ])
}, 60_000)

test("a cell with another key, another name of nobody, or the same database is refused in plain words", async () => {
  await use(here, "a1")
  const sender = await newSending()
  const organization = encodeId("org", sender.organizationId)
  const to = async (...args: string[]) =>
    (
      await adminCommands["move-organization"]?.([
        "--organization",
        organization,
        "--address",
        "https://b1.example.com",
        ...args,
      ])
    )?.()
  await expect(to("--to", here, "--cell", "b1")).rejects.toMatchObject({ code: "move.same_database" })
  await expect(to("--to", there.url, "--cell", "a1")).rejects.toMatchObject({ code: "move.same_cell" })
  await expect(to("--to", there.url, "--cell", "B-1")).rejects.toMatchObject({ code: "admin.usage" })
  const target = new pg.Client({ connectionString: there.url })
  await target.connect()
  await target.query(
    "INSERT INTO installation (id, secret_key_id) VALUES (1, 'other') ON CONFLICT (id) DO UPDATE SET secret_key_id = 'other'",
  )
  await expect(to("--to", there.url, "--cell", "b1")).rejects.toMatchObject({ code: "move.other_key" })
  await target.end()
})

async function numbersOf(projectId: string): Promise<bigint[]> {
  const { rows } = await pool().query<{ seq: string }>(
    "SELECT seq FROM events WHERE project_id = $1 AND seq IS NOT NULL ORDER BY seq",
    [projectId],
  )
  return rows.map(({ seq }) => BigInt(seq))
}

async function addWebhook(sender: Sending) {
  await pool().query(
    `INSERT INTO webhooks (id, project_id, name, url, events, secret) VALUES (gen_random_uuid(), $1, 'Shop', 'https://shop.example/hook', '{email.delivered}', '\\x00')`,
    [sender.projectId],
  )
}

async function addSuppression(sender: Sending, email: string) {
  await pool().query(
    "INSERT INTO suppressions (id, project_id, email, reason) VALUES (gen_random_uuid(), $1, $2, 'manual')",
    [sender.projectId, email],
  )
}

async function addReturned(sender: Sending, { deliveryId, emailId }: { deliveryId: string; emailId: string }) {
  await pool().query(
    `INSERT INTO inbound_messages (id, door, project_id, email_id, delivery_id, place, mail_from, rcpt_to, client, helo, size, digest, raw, outcome)
      VALUES (gen_random_uuid(), 'return_path', $1, $2, $3, 1, '', $4, '192.0.2.1', 'mx', 1, '\\x01', '\\x01', 'bounced')`,
    [sender.projectId, emailId, deliveryId, `${deliveryId}@a.test`],
  )
}

async function guardsLeft(url: string, organizationId: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query("SELECT count(*)::int AS count FROM pg_namespace WHERE nspname = $1", [
    moveSchemaOf({ organizationId }),
  ])
  await client.end()
  return rows[0]?.count
}

async function repeat(signal: AbortSignal, everyMs: number, work: (turn: number) => Promise<void>) {
  for (let turn = 0; !signal.aborted; turn++) {
    await work(turn)
    await wait(everyMs)
  }
}
