import { beforeEach, expect, test } from "vitest"
import { measured } from "@/e2e/support/measured"
import { type Claimed, claimStatement, createDeliveryClaim, holdClaims } from "@/lib/delivery/queue/claims/data"
import { finishDelivery } from "@/lib/delivery/queue/outcomes/data"
import * as outcomes from "@/lib/delivery/queue/outcome"
import { prepareWork, putBackUntouched } from "@/lib/delivery/queue/prepare"
import { deliveryRows, newSending, sendMail, type Sending } from "@/e2e/support/delivery/sending"
import { overdue } from "@/lib/worker/queue-sql"
import { pool, transaction, type Queryable } from "@/lib/platform/database/db"

const region = "eu-west-1"
const leaseMs = 60_000

beforeEach(async () => {
  await pool().query("UPDATE deliveries SET due_at = NULL")
})

test("a project with 1,000 queued does not hold up another's one", async () => {
  const [busy, quiet] = [await fastSending(), await newSending()]
  await queue(busy, 1_000)
  const [id] = await sendMail(quiet)
  const claimed = await createDeliveryClaim()({ region, limit: 40, leaseMs })
  expect(claimed).toHaveLength(40)
  expect(claimed.filter(({ projectId }) => projectId === quiet.projectId).map(({ emailId }) => emailId)).toEqual([id])
})

test("a claim of a few reads few deliveries, however many became due since the table was analysed", async () => {
  const sender = await fastSending()
  await pool().query("ALTER TABLE deliveries SET (autovacuum_enabled = off)")
  await pool().query("ANALYZE deliveries")
  await queue(sender, 2_000)
  await createDeliveryClaim()({ region, limit: 1, leaseMs })
  const read = await transaction(async (client) => {
    const values = [await generalQueue(), "00000000-0000-0000-0000-000000000000", 200, 10, 60, []]
    const before = await deliveriesRead(client)
    expect((await client.query(claimStatement, values)).rowCount).toBe(10)
    return (await deliveriesRead(client)) - before
  })
  await pool().query("ALTER TABLE deliveries RESET (autovacuum_enabled)")
  expect(read).toBeLessThan(200)
})

test("a claim continues after the project where the last one ended", async () => {
  const senders = await Promise.all(Array.from({ length: 4 }, fastSending))
  for (const sender of senders) await queue(sender, 10)
  const claim = createDeliveryClaim()
  const served = [...(await claim({ region, limit: 2, leaseMs })), ...(await claim({ region, limit: 2, leaseMs }))]
  expect(new Set(served.map(({ projectId }) => projectId)).size).toBe(4)
})

test("a project with the highest rate that can be set sends, and holds up no other project", async () => {
  const senders = [await newSending(), await newSending()]
  await pool().query("UPDATE projects SET per_second_sends = 2147483647 WHERE id = $1", [senders[0]?.projectId])
  const sent = (await Promise.all(senders.map((sender) => sendMail(sender)))).flat()
  const claimed = await createDeliveryClaim()({ region, limit: 40, leaseMs })
  expect(claimed.map(({ emailId }) => emailId).sort()).toEqual(sent.sort())
  expect(await overdue()).not.toContain("mail")
})

test("claims at the same time never share a delivery, and none is left", async () => {
  const sender = await fastSending()
  await queue(sender, 200)
  const claimed: Claimed[] = []
  const claims = Array.from({ length: 4 }, () => createDeliveryClaim())
  while (claimed.length < 200) {
    claimed.push(...(await Promise.all(claims.map((claim) => claim({ region, limit: 30, leaseMs })))).flat())
  }
  expect(new Set(claimed.map(({ id }) => id)).size).toBe(200)
  expect(claimed).toHaveLength(200)
})

test("claims are paced at the project's rate, with its burst", async () => {
  const sender = await newSending()
  await queue(sender, 60)
  await pool().query(
    "INSERT INTO delivery_allowances (project_id, tokens, refilled_at) VALUES ($1, 3.5, now() + interval '1 hour')",
    [sender.projectId],
  )
  const claim = createDeliveryClaim()
  expect(await claim({ region, limit: 40, leaseMs })).toHaveLength(3)
  await pool().query("UPDATE delivery_allowances SET refilled_at = now() + interval '1 hour' WHERE project_id = $1", [
    sender.projectId,
  ])
  expect(await claim({ region, limit: 40, leaseMs })).toEqual([])
  await pool().query("UPDATE delivery_allowances SET refilled_at = now() - interval '1 second' WHERE project_id = $1", [
    sender.projectId,
  ])
  expect((await claim({ region, limit: 40, leaseMs })).length).toBeGreaterThanOrEqual(14)
})

test("mail of a suspended project and of other regions is left alone", async () => {
  const [suspended, elsewhere] = [await newSending(), await newSending("us-east-1")]
  await sendMail(suspended)
  await sendMail(elsewhere)
  await pool().query("UPDATE projects SET suspended_at = now() WHERE id = $1", [suspended.projectId])
  expect(await createDeliveryClaim()({ region, limit: 40, leaseMs })).toEqual([])
  expect(await createDeliveryClaim()({ region: "us-east-1", limit: 40, leaseMs })).toHaveLength(1)
})

test("mail of an organization that is left out is left alone, and keeps nothing of the claim from others", async () => {
  const [crowd, quiet] = [await fastSending(), await newSending()]
  await queue(crowd, 100)
  const [id] = await sendMail(quiet)
  const claimed = await createDeliveryClaim()({ region, limit: 40, leaseMs, without: [crowd.organizationId] })
  expect(claimed.map(({ emailId }) => emailId)).toEqual([id])
})

test("a lease ends by itself unless it is extended; a lost one cannot be extended", async () => {
  await sendMail(await newSending())
  const claim = createDeliveryClaim()
  const [first] = await claim({ region, limit: 1, leaseMs: 60_000 })
  if (!first) throw new Error("Nothing was claimed.")
  expect(await claim({ region, limit: 1, leaseMs })).toEqual([])
  expect(await holdClaims([first], -1_000)).toEqual([first])
  const [second] = await claim({ region, limit: 1, leaseMs })
  expect(second).toMatchObject({ id: first.id, attempt: 2, unfinished: 2 })
  expect(await holdClaims([first], leaseMs)).toEqual([])
})

test.each([
  ["given back", 0, (facts: outcomes.ClaimFacts) => outcomes.released(facts, 3_600), 0],
  [
    "given back after two that ended without a word",
    2,
    (facts: outcomes.ClaimFacts) => outcomes.released(facts, 3_600),
    2,
  ],
  [
    "broken on our side",
    2,
    (facts: outcomes.ClaimFacts) => outcomes.broken(facts, { code: "unprepared", facts: {} }),
    3,
  ],
] as const)(
  "a claim that has just ended, %s, keeps its wait and their count whatever a late heartbeat says",
  async (_, endings, end, counted) => {
    const [id] = await sendMail(await newSending())
    await pool().query("UPDATE deliveries SET unfinished = $2 WHERE email_id = $1", [id, endings])
    const [work] = await prepareWork(await createDeliveryClaim()({ region, limit: 1, leaseMs }))
    if (!work?.message) throw new Error("Nothing was claimed.")
    await finishDelivery(
      end({ claimed: work.claimed, message: work.message, simulated: false }),
      new AbortController().signal,
    )
    const [before] = await deliveryRows(id ?? "")
    expect(before).toMatchObject({ unfinished: counted })
    expect(await holdClaims([work.claimed], 1_000)).toEqual([])
    expect(await deliveryRows(id ?? "")).toEqual([before])
  },
)

test("claims that are undone, even twice, are due at once and not counted", async () => {
  const [id] = await sendMail(await newSending())
  const claimed = await createDeliveryClaim()({ region, limit: 1, leaseMs })
  await putBackUntouched(claimed, leaseMs, new AbortController().signal)
  await putBackUntouched(claimed, leaseMs, new AbortController().signal)
  expect(await deliveryRows(id ?? "")).toMatchObject([{ unfinished: 0, attempt_count: 0, data_attempt: null }])
  expect(await createDeliveryClaim()({ region, limit: 1, leaseMs })).toMatchObject([{ emailId: id, unfinished: 1 }])
})

test("a message that cannot be read leaves the others of its claim to be worked on", async () => {
  const sender = await newSending()
  const [bad, good] = [await sendMail(sender), await sendMail(sender)]
  await pool().query('UPDATE emails SET tracking = \'{"unsubscribeTracking": "no truth value"}\' WHERE id = $1', [
    bad[0],
  ])
  const works = await prepareWork(await createDeliveryClaim()({ region, limit: 40, leaseMs }))
  expect(works.map(({ message }) => message?.id)).toEqual(good)
})

async function fastSending(): Promise<Sending> {
  const sender = await newSending()
  await pool().query("UPDATE projects SET per_second_sends = 1000, max_recipients = 1000 WHERE id = $1", [
    sender.projectId,
  ])
  return sender
}

async function generalQueue(): Promise<number> {
  const { rows } = await pool().query("SELECT id FROM delivery_queues WHERE region = $1 AND kind = 'general'", [region])
  return rows[0]?.id
}

/** Rows that this connection has read since its counts were reported last, which is once a second, and not at every commit. */
async function deliveriesRead(client: Queryable): Promise<number> {
  const { rows } = await client.query<{ read: string }>(
    "SELECT coalesce(sum(seq_tup_read + idx_tup_fetch), 0) AS read FROM pg_stat_xact_user_tables WHERE relname = 'deliveries'",
  )
  return Number(rows[0]?.read)
}

/** Copies one accepted delivery, which is quicker than so many requests. */
async function queue(sender: Sending, count: number) {
  const [id] = await sendMail(sender)
  await pool().query(
    `INSERT INTO deliveries (id, project_id, email_id, region, role, address, canonical, status, due_at)
      SELECT gen_random_uuid(), project_id, email_id, region, role, address, canonical, status, due_at
        FROM deliveries, generate_series(2, $2) WHERE email_id = $1`,
    [id, count],
  )
}

test(
  "a project of 1,000/s beside 40 with backlog and no tokens takes at least 0.8 of what it takes alone",
  { ...measured, timeout: 30_000 },
  async () => {
    const rounds = async (sender: Sending) => {
      const claim = createDeliveryClaim()
      for (let round = 1, taken = 0; ; round += 1) {
        const claimed = await claim({ region, limit: 200, leaseMs })
        taken += claimed.filter(({ projectId }) => projectId === sender.projectId).length
        if (taken >= 3_000 || round === 100) return round
      }
    }
    const alone = await fastSending()
    await queue(alone, 3_000)
    const roundsAlone = await rounds(alone)
    const beside = await fastSending()
    const poor = await Promise.all(Array.from({ length: 40 }, () => newSending()))
    for (const sender of poor) {
      await queue(sender, 100)
      await pool().query(
        "INSERT INTO delivery_allowances (project_id, tokens, refilled_at) VALUES ($1, 0, now() + interval '1 hour')",
        [sender.projectId],
      )
    }
    await queue(beside, 3_000)
    expect(roundsAlone).toBe(15)
    expect(await rounds(beside)).toBeLessThanOrEqual(roundsAlone / 0.8)
  },
)

test("the unused share of a project goes to the others, and the rest is shared equally", async () => {
  const [few, one, other] = [await fastSending(), await fastSending(), await fastSending()]
  await queue(few, 4)
  await queue(one, 100)
  await queue(other, 100)
  const claimed = await createDeliveryClaim()({ region, limit: 60, leaseMs })
  const of = ({ projectId }: Sending) => claimed.filter((row) => row.projectId === projectId).length
  expect(of(few)).toBe(4)
  expect(of(one)).toBe(28)
  expect(of(other)).toBe(28)
})

test("a claim and an accept of one project do not wait for each other", async () => {
  const sender = await fastSending()
  await queue(sender, 10)
  await transaction(async (client) => {
    await client.query("SELECT 1 FROM send_allowances WHERE project_id = $1 FOR UPDATE", [sender.projectId])
    expect(await createDeliveryClaim()({ region, limit: 10, leaseMs })).toHaveLength(10)
  })
  await transaction(async (client) => {
    await client.query("SELECT 1 FROM delivery_allowances WHERE project_id = $1 FOR UPDATE", [sender.projectId])
    expect(await sendMail(sender)).toHaveLength(1)
  })
})
