import { randomUUID } from "node:crypto"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { newSending, sendMail, type Sending } from "@/e2e/support/delivery/sending"
import { type Claimed, createDeliveryClaim } from "@/lib/delivery/queue/claims/data"
import { leaseQueues } from "@/lib/delivery/queue/queues/data"
import { removeWorker, writeHeartbeat } from "@/lib/delivery/regions/data"
import { createPaths, type Paths } from "@/lib/delivery/regions/region-rules"
import { pool, type Queryable, transaction } from "@/lib/platform/database/db"
import { regionNames } from "@/lib/regions/regions"

const region = "eu-west-1"
const leaseMs = 60_000
const simulated = "delivered@simulator.mailroom.test"

beforeEach(async () => {
  await pool().query("UPDATE deliveries SET due_at = NULL")
})

afterEach(async () => {
  vi.restoreAllMocks()
  await pool().query("DELETE FROM region_outages")
  await pool().query("UPDATE deliveries SET due_at = NULL")
  await pool().query("DELETE FROM delivery_queues WHERE kind = 'destination'")
  await pool().query("DELETE FROM delivery_workers")
})

test("every region has a queue of its own and one for its simulator, and each recipient waits in one of them", async () => {
  const { rows } = await pool().query("SELECT region, kind FROM delivery_queues")
  expect(rows.map(({ region, kind }) => `${region} ${kind}`).sort()).toEqual(
    regionNames.flatMap((name) => [`${name} general`, `${name} simulator`]).sort(),
  )
  const sender = await newSending("us-east-1")
  // A recipient whose domain only looks like that of the simulator is nobody of ours.
  const ids = await sendMail(sender, { to: ["ada@simulator.example", "ben@x.example"], cc: [simulated] })
  const { rows: waiting } = await pool().query(
    `SELECT d.canonical, q.region, q.kind FROM deliveries d JOIN delivery_queues q ON q.id = d.queue_id
      WHERE d.email_id = ANY ($1) ORDER BY 1`,
    [ids],
  )
  expect(waiting).toEqual([
    { canonical: "ada@simulator.example", region: "us-east-1", kind: "general" },
    { canonical: "ben@x.example", region: "us-east-1", kind: "general" },
    { canonical: simulated, region: "us-east-1", kind: "simulator" },
  ])
})

test("what a host of the release before accepts, which names no queue, waits in the same ones", async () => {
  const ids = await sendMail(await newSending(), { to: ["ada@x.example", simulated] })
  const { rows } = await pool().query(
    `WITH copied AS (
        INSERT INTO deliveries (id, project_id, email_id, region, role, address, canonical, status, due_at)
          SELECT gen_random_uuid(), project_id, email_id, region, role, address, canonical, status, due_at
            FROM deliveries WHERE email_id = ANY ($1) RETURNING canonical, queue_id
      )
      SELECT c.queue_id = d.queue_id AS same FROM copied c JOIN deliveries d USING (canonical) WHERE d.email_id = ANY ($1)`,
    [ids],
  )
  expect(rows).toEqual([{ same: true }, { same: true }])
  await expect(pool().query("UPDATE deliveries SET queue_id = NULL WHERE email_id = ANY ($1)", [ids])).rejects.toThrow(
    /deliveries_queued/,
  )
})

test("a claim takes the mail of a destination's queue only with its lease, and of no other queue then: the oldest of each project, in equal shares", async () => {
  const holder = await newWorker()
  const [few, one, other] = [await fastSending(), await fastSending(), await fastSending()]
  const queue = await newDestination()
  const inside = new Map<Sending, string[]>()
  for (const [sender, count] of [[few, 4] as const, [one, 100] as const, [other, 100] as const]) {
    inside.set(sender, await fill(sender, count, queue))
    await fill(sender, 5)
  }
  await pool().query(
    "UPDATE deliveries SET due_at = now() + interval '1 hour' WHERE queue_id <> $1 AND due_at IS NOT NULL",
    [queue],
  )
  expect(await createDeliveryClaim()({ region, limit: 60, leaseMs })).toEqual([])
  expect(await createDeliveryClaim({ worker: holder.id })({ region, limit: 60, leaseMs })).toEqual([])

  await leaseQueues(holder.id)
  const claimed = await createDeliveryClaim({ worker: holder.id })({ region, limit: 60, leaseMs })
  const of = ({ projectId }: Sending) => claimed.filter((row) => row.projectId === projectId).map(({ id }) => id)
  for (const [sender, count] of [[few, 4] as const, [one, 28] as const, [other, 28] as const]) {
    expect(of(sender).sort()).toEqual(inside.get(sender)?.slice(0, count).sort())
  }
})

test("queues take turns: a few in one wait for no more than one claim, however many wait in another", async () => {
  const [busy, quiet] = [await fastSending(), await newSending()]
  await fill(busy, 200)
  const ids = await sendMail(quiet, { to: [simulated] })
  const claim = createDeliveryClaim()
  const claimed = [...(await claim({ region, limit: 20, leaseMs })), ...(await claim({ region, limit: 20, leaseMs }))]
  expect(claimed).toHaveLength(40)
  expect(claimed.filter(({ emailId }) => ids.includes(emailId))).toHaveLength(1)
})

test("what was claimed is worked on when the next queue of the same claim cannot be read", async () => {
  const sender = await newSending()
  await sendMail(sender, { to: ["ada@x.example"], cc: [simulated] })
  const query = pool().query.bind(pool()) as (...given: unknown[]) => unknown
  let claims = 0
  vi.spyOn(pool(), "query").mockImplementation(((...given: unknown[]) => {
    const named = (given[0] as { name?: string }).name === "delivery.claim"
    // The first makes the project's allowance.
    if (named && ++claims === 3) return Promise.reject(new Error("The connection is lost."))
    return query(...given)
  }) as never)
  const claim = createDeliveryClaim()
  const first = await claim({ region, limit: 20, leaseMs })
  const second = await claim({ region, limit: 20, leaseMs })
  expect([first.length, second.length]).toEqual([1, 1])
  expect(new Set([...first, ...second].map(({ id }) => id)).size).toBe(2)
})

test("while the simulator is away its queue waits, and while a relay is away that of its region: the other goes on", async () => {
  const sender = await newSending()
  await sendMail(sender, { to: ["ada@x.example"], cc: [simulated] })
  const claimed = async (down: string) => {
    const rows = await createDeliveryClaim({ onDown: () => [down] })({ region, limit: 20, leaseMs: -1_000 })
    return rows.map(({ canonical }) => canonical)
  }
  expect(await claimed("simulator")).toEqual(["ada@x.example"])
  expect(await claimed(region)).toEqual([simulated])
  expect((await claimed("us-east-1")).sort()).toEqual(["ada@x.example", simulated])
})

test("a destination's queue belongs to one worker, and to another one once its lease has ended", async () => {
  const [first, second] = [await newWorker(), await newWorker()]
  const queue = await newDestination()
  await fill(await fastSending(), 10, queue)
  const claims = new Map([first, second].map(({ id }) => [id, createDeliveryClaim({ worker: id })]))
  const claimBy = async ({ id }: Paths): Promise<Claimed[]> =>
    (await claims.get(id)?.({ region, limit: 2, leaseMs })) ?? []

  await leaseQueues(first.id)
  await leaseQueues(second.id)
  expect(await claimBy(second)).toEqual([])
  expect(await claimBy(first)).toHaveLength(2)

  // The first one stands still: neither renews.
  await pool().query("UPDATE delivery_queues SET lease_until = now() - interval '1 ms' WHERE id = $1", [queue])
  expect(await claimBy(first)).toEqual([])
  expect(await claimBy(second)).toEqual([])
  await leaseQueues(second.id)
  await leaseQueues(first.id)
  expect(await claimBy(first)).toEqual([])
  expect(await claimBy(second)).toHaveLength(2)
})

test("leases last for 15 s from their renewal, and a worker that ends leaves its queues to the others at once", async () => {
  const [first, second] = [await newWorker(), await newWorker()]
  const queue = await newDestination()
  await leaseQueues(first.id)
  await pool().query("UPDATE delivery_queues SET lease_until = now() + interval '1 second' WHERE id = $1", [queue])
  // Between the two times of the database around it, however long it took.
  const leasedBy = async ({ id }: { id: string }) => {
    const from = await clockMs()
    await leaseQueues(id)
    const [held] = await holders()
    const lastsMs = (held?.until.getTime() ?? 0) - from
    return { worker: held?.worker, lasts: lastsMs >= 15_000 && lastsMs <= 15_000 + (await clockMs()) - from }
  }
  expect(await leasedBy(first)).toEqual({ worker: first.id, lasts: true })
  const [renewed] = await holders()
  await removeWorker(first)
  expect(await holders()).toEqual([{ worker: null, until: renewed?.until }])
  expect(await leasedBy(second)).toEqual({ worker: second.id, lasts: true })
})

test("live workers share the queues of destinations equally, whoever came first, and never one of them", async () => {
  const [first, second] = [await newWorker(), await newWorker()]
  await pool().query("UPDATE delivery_workers SET seen_at = now() - interval '1 minute' WHERE id = $1", [second.id])
  for (let queue = 0; queue < 9; queue += 1) await newDestination()
  await leaseQueues(first.id)
  expect((await holders()).map(({ worker }) => worker)).toEqual(Array(9).fill(first.id))

  await writeHeartbeat(second)
  await Promise.all([leaseQueues(first.id), leaseQueues(second.id)])
  // What the first one has not renewed.
  await pool().query("UPDATE delivery_queues SET lease_until = now() - interval '1 ms' WHERE lease_until < $1", [
    new Date(Date.now() + 60_000),
  ])
  await leaseQueues(first.id)
  await leaseQueues(second.id)
  const counts = [first, second].map(async ({ id }) => (await holders()).filter(({ worker }) => worker === id).length)
  expect(await Promise.all(counts)).toEqual([5, 4])
  await leaseQueues("00000000-0000-7000-8000-000000000000")
  expect((await holders()).filter(({ worker }) => worker !== first.id && worker !== second.id)).toEqual([])
})

test("whether anything is due is found out by reading a few deliveries, however many wait since the table was analysed", async () => {
  const sender = await fastSending()
  await pool().query("ALTER TABLE deliveries SET (autovacuum_enabled = off)")
  await pool().query("ANALYZE deliveries")
  await fill(sender, 2_000)
  await pool().query("UPDATE deliveries SET due_at = due_at + interval '1 hour' WHERE due_at IS NOT NULL")
  const asked = vi.spyOn(pool(), "query")
  expect(await createDeliveryClaim()({ region, limit: 10, leaseMs })).toEqual([])
  const config = asked.mock.calls.map(([one]) => one as unknown as { name: string; text: string; values: unknown[] })
  expect(config.map(({ name }) => name)).toEqual(["delivery.due"])
  const read = await transaction(async (client) => {
    const before = await deliveriesRead(client)
    await client.query(config[0]?.text ?? "", config[0]?.values)
    return (await deliveriesRead(client)) - before
  })
  await pool().query("ALTER TABLE deliveries RESET (autovacuum_enabled)")
  expect(read).toBeLessThan(20)
})

/** Rows that this connection has read since its counts were reported last. */
async function deliveriesRead(client: Queryable): Promise<number> {
  const { rows } = await client.query<{ read: string }>(
    "SELECT coalesce(sum(seq_tup_read + idx_tup_fetch), 0) AS read FROM pg_stat_xact_user_tables WHERE relname = 'deliveries'",
  )
  return Number(rows[0]?.read)
}

async function fastSending(): Promise<Sending> {
  const sender = await newSending()
  await pool().query("UPDATE projects SET per_second_sends = 1000 WHERE id = $1", [sender.projectId])
  return sender
}

async function newWorker(): Promise<Paths> {
  const paths = createPaths()
  await writeHeartbeat(paths)
  return paths
}

/** The queue of a new destination. */
async function newDestination(): Promise<number> {
  const { rows } = await pool().query<{ id: number }>(
    `WITH destination AS (INSERT INTO destinations (key, hosts) VALUES ($2, '{}') RETURNING id)
      INSERT INTO delivery_queues (region, kind, destination_id) SELECT $1, 'destination', id FROM destination RETURNING id`,
    [region, randomUUID()],
  )
  return rows[0]?.id ?? 0
}

/** Deliveries of the project that are due one after the other, the first for longest; in the queue of its region by default. */
async function fill(sender: Sending, count: number, queue: number | null = null): Promise<string[]> {
  const [emailId] = await sendMail(sender)
  await pool().query("UPDATE deliveries SET due_at = NULL WHERE email_id = $1", [emailId])
  const { rows } = await pool().query<{ id: string }>(
    `WITH added AS (
        INSERT INTO deliveries (id, project_id, email_id, region, queue_id, role, address, canonical, status, due_at)
          SELECT gen_random_uuid(), project_id, email_id, region, $3, role, address, canonical, status,
              now() - make_interval(secs => $2 - n)
            FROM deliveries, generate_series(1, $2::int) n WHERE email_id = $1 RETURNING id, due_at
      )
      SELECT id FROM added ORDER BY due_at`,
    [emailId, count, queue],
  )
  return rows.map(({ id }) => id)
}

/** The database's clock, in milliseconds since the epoch. */
async function clockMs(): Promise<number> {
  const { rows } = await pool().query<{ now: Date }>("SELECT now()")
  return rows[0]?.now.getTime() ?? 0
}

async function holders(): Promise<{ worker: string | null; until: Date }[]> {
  const { rows } = await pool().query(
    "SELECT worker, lease_until AS until FROM delivery_queues WHERE kind = 'destination' ORDER BY id",
  )
  return rows
}
