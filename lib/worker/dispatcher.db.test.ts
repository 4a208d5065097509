import { setTimeout as wait } from "node:timers/promises"
import pg from "pg"
import { beforeEach, describe, expect, test, vi } from "vitest"
import { measured } from "@/e2e/support/measured"
import { newWorld, type World } from "@/e2e/support/world"
import { counters } from "@/lib/metrics/rules"
import { pool } from "@/lib/platform/database/db"
import { columnOf } from "@/lib/platform/database/shape"
import { env } from "@/lib/platform/env/env"
import { newId } from "@/lib/platform/ids"
import { listen } from "@/lib/platform/jobs/notifications"
import { endsOfShards, eventsChannel, shardOf } from "@/lib/stream/data"
import { dispatchAll, dispatchOnce, runDispatcher } from "@/lib/worker/dispatcher"

type Given = {
  type: string
  data?: Record<string, string>
  deliveryId?: string
  emailId?: string
  occurredAt?: Date
  projectId?: string
}

let world: World
beforeEach(async () => {
  await dispatchAll()
  world = await newWorld()
})

async function write(given: readonly Given[], client: Pick<pg.ClientBase, "query"> = pool()) {
  const rows = given.map((event) => ({
    id: newId(),
    project_id: event.projectId ?? world.projectId,
    email_id: event.emailId ?? newId(),
    delivery_id: event.deliveryId ?? null,
    type: event.type,
    data: event.data ?? {},
    occurred_at: event.occurredAt ?? new Date(),
  }))
  await client.query(
    `INSERT INTO events (id, project_id, email_id, delivery_id, type, data, occurred_at)
      SELECT * FROM json_to_recordset($1) AS r(
        id uuid, project_id uuid, email_id uuid, delivery_id uuid, type text, data jsonb, occurred_at timestamptz)`,
    [JSON.stringify(rows)],
  )
  return rows.map(({ id }) => id)
}

const order = async (projectId = world.projectId) =>
  (
    await pool().query(
      "SELECT id, seq::int AS seq FROM events WHERE seq IS NOT NULL AND dispatch_shard(project_id) = $1 ORDER BY seq",
      [shardOf(projectId)],
    )
  ).rows
const lastSeq = async (projectId = world.projectId) => Number((await endsOfShards())[shardOf(projectId)])
const waiting = async () =>
  (await pool().query("SELECT count(*)::int AS n FROM events WHERE seq IS NULL")).rows[0].n as number

async function expectGapFree(projectId = world.projectId) {
  const given = await order(projectId)
  expect(given.map(({ seq }) => seq)).toEqual(given.map((_, index) => index + 1))
  expect(await lastSeq(projectId)).toBe(given.length)
}

async function counted(projectId = world.projectId) {
  const sums = counters.map((name) => `coalesce(sum(${columnOf(name)}), 0)::int AS "${name}"`).join(", ")
  const { rows } = await pool().query(`SELECT ${sums} FROM metric_hours WHERE project_id = $1`, [projectId])
  return Object.fromEntries(Object.entries(rows[0]).filter(([, count]) => count !== 0))
}

async function ownClient(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: env().databaseUrl })
  await client.connect()
  return client
}

describe("the public order of events", () => {
  test("an event that commits late gets a later place, and readers up to the end miss none", async () => {
    const [slow, quick] = [await ownClient(), await ownClient()]
    await slow.query("BEGIN")
    const [late] = await write([{ type: "sent" }], slow)
    await quick.query("BEGIN")
    const [early] = await write([{ type: "sent" }], quick)
    await quick.query("COMMIT")
    await dispatchAll()
    const seenTo = await lastSeq()
    await slow.query("COMMIT")
    await dispatchAll()
    const after = (await order()).filter(({ seq }) => seq > seenTo)
    expect((await order()).find(({ seq }) => seq === seenTo)?.id).toBe(early)
    expect(after.map(({ id }) => id)).toEqual([late])
    await expectGapFree()
    await slow.end()
    await quick.end()
  })

  test("concurrent writers and two dispatchers leave no gap, give no place twice and count nothing twice", async () => {
    const stop = new AbortController()
    const dispatchers = [runDispatcher(stop.signal), runDispatcher(stop.signal)]
    const writers = Array.from({ length: 6 }, async (_, writer) => {
      const client = await ownClient()
      for (let round = 0; round < 25; round++) {
        await client.query("BEGIN")
        await write(
          Array.from({ length: 1 + (writer % 3) }, () => ({ type: "delivered" })),
          client,
        )
        await wait((writer * 7 + round * 3) % 12)
        await client.query(round % 10 === 9 ? "ROLLBACK" : "COMMIT")
      }
      await client.end()
    })
    await Promise.all(writers)
    await vi.waitFor(async () => expect(await waiting()).toBe(0), 5_000)
    stop.abort()
    await Promise.all(dispatchers)
    await expectGapFree()
    const { rows } = await pool().query("SELECT count(*)::int AS n FROM events WHERE project_id = $1", [
      world.projectId,
    ])
    expect(rows[0].n).toBe(23 * 2 * (1 + 2 + 3))
    expect(await counted()).toEqual({ sent: rows[0].n, delivered: rows[0].n })
  })

  test("a round takes 1,000 and the next goes on; an abort drains what is left", async () => {
    await write(Array.from({ length: 2_500 }, () => ({ type: "queued" })))
    expect(await dispatchOnce()).toBe(1_000)
    const stop = new AbortController()
    stop.abort()
    await runDispatcher(stop.signal)
    expect(await waiting()).toBe(0)
    await expectGapFree()
  })

  test("while another dispatcher holds the lock, a round does nothing and waits for nobody", measured, async () => {
    const other = await ownClient()
    await other.query("BEGIN")
    await other.query("SELECT * FROM dispatch_state FOR UPDATE")
    await write([{ type: "sent" }])
    const startedAt = Date.now()
    expect(await dispatchOnce()).toBe(0)
    expect(Date.now() - startedAt).toBeLessThan(1_000)
    await other.end()
    expect(await dispatchOnce()).toBe(1)
  })

  test("readers are woken when they can read on", async () => {
    const heard: string[] = []
    const listener = listen(eventsChannel, (payload) => heard.push(payload))
    await vi.waitFor(() => expect(heard).toEqual([""]))
    await write([{ type: "sent" }, { type: "delivered" }])
    const end = await lastSeq()
    await dispatchOnce()
    await vi.waitFor(() => expect(heard).toEqual(["", ""]))
    expect(await lastSeq()).toBe(end + 2)
    await listener.close()
  })

  test("events of a deleted project get their place and stop nothing", async () => {
    const gone = newId()
    await write([{ type: "delivered", projectId: gone }, { type: "delivered" }])
    await dispatchAll()
    await expectGapFree()
    await expectGapFree(gone)
    expect(await counted()).toEqual({ sent: 1, delivered: 1 })
    expect(await counted(gone)).toEqual({})
  })
})

describe("what is counted", () => {
  /** Deliveries with and without an earlier answer of a server. */
  async function newDeliveries(answered: readonly boolean[]) {
    const emailId = newId()
    await pool().query(
      `INSERT INTO emails (id, project_id, group_id, status, admitted_status, domain_id, from_header, to_headers,
          cc_headers, bcc_headers, subject, message_id)
        VALUES ($1, $2, $1, 'sent', 'queued', $1, 'a@x.test', '{}', '{}', '{}', 's', 'm')`,
      [emailId, world.projectId],
    )
    return Promise.all(
      answered.map(async (was) => {
        const id = newId()
        await pool().query(
          `INSERT INTO deliveries (id, project_id, email_id, region, role, address, canonical, status, sent_at)
            VALUES ($1, $2, $3, 'eu-west-1', 'to', 'a@y.test', 'a@y.test', 'sent', $4)`,
          [id, world.projectId, emailId, was ? new Date() : null],
        )
        return { deliveryId: id, emailId }
      }),
    )
  }

  test("a refusal or the end of all attempts counts as sent once, an answer before it does not count again", async () => {
    const [refused, returned, gaveUp] = await newDeliveries([false, true, false])
    const hard = { bounceType: "hard" }
    await write([{ type: "sent", ...returned }])
    await dispatchAll()
    await write([
      { type: "bounced", data: hard, ...refused },
      { type: "bounced", data: hard, ...returned },
      { type: "failed", ...gaveUp },
    ])
    await dispatchAll()
    expect(await counted()).toEqual({ sent: 3, bounced: 2, failed: 1 })
  })

  test("soft bounces count as sent alone; simulator, test and unanswered mail never counts", async () => {
    const [soft] = await newDeliveries([false])
    const simulator = { simulator: "true" }
    await write([
      { type: "bounced", data: { bounceType: "soft" }, ...soft },
      { type: "sent", data: simulator },
      { type: "delivered", data: simulator },
      { type: "bounced", data: { ...simulator, bounceType: "hard" } },
      ...["test", "queued", "scheduled", "suppressed", "rejected", "cancelled", "sending"].map((type) => ({ type })),
    ])
    await dispatchAll()
    expect(await counted()).toEqual({ sent: 1 })
  })

  test("opens, clicks, complaints and unsubscribes count a recipient once over all rounds, machines apart", async () => {
    const mail = { deliveryId: newId(), emailId: newId() }
    const machine = { machine: "true" }
    for (let round = 0; round < 2; round++) {
      await write(["opened", "opened", "clicked", "complained", "unsubscribed"].map((type) => ({ type, ...mail })))
      await write([
        { type: "opened", data: machine, ...mail },
        { type: "clicked", data: machine, ...mail },
      ])
      await dispatchAll()
    }
    await write([{ type: "opened", emailId: mail.emailId, deliveryId: newId() }])
    await dispatchAll()
    expect(await counted()).toEqual({
      ...{ opened: 2, clicked: 1, complained: 1, unsubscribed: 1, machineOpens: 1 },
      anyOpens: 2,
    })
  })
})
