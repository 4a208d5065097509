import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest"
import { figures } from "@/e2e/support/chaos/figures"
import * as mailing from "@/e2e/support/chaos/mailing"
import { size } from "@/e2e/support/chaos/size"
import { buildWorker, type WorkerProcess } from "@/e2e/support/chaos/worker-process"

import { type MailLab, startMailLab } from "@/e2e/support/delivery/mail-lab"
import { warmUpCaps } from "@/lib/delivery/egress/rules"
import { pool } from "@/lib/platform/database/db"
import { provideEnv } from "@/lib/platform/env/env"
import { newId } from "@/lib/platform/ids"

// What leaves directly, by workers as they run in the product.

let lab: MailLab
let bundle: Awaited<ReturnType<typeof buildWorker>>
let workers: WorkerProcess[] = []

beforeAll(async () => {
  lab = await startMailLab()
  provideEnv(lab.variables)
  bundle = await buildWorker()
})

beforeEach(async () => {
  await pool().query("UPDATE deliveries SET due_at = NULL")
})

afterAll(async () => {
  await endWorkers()
  await lab.close()
  bundle.remove()
})

const [mails, domains] = [20_000, 2_000]
const toProvider = Math.round(0.3 * mails)
// With fewer, `pacing.db.test.ts` shows the same but for the times.
test.runIf(size(false, true))(
  `G31: of ${mails} emails to ${domains} domains, 30 % are to a provider that asks to slow down: the others leave as soon as without it, and none is lost`,
  async () => {
    const sender = await mailing.newMailer()
    let isSlow = false
    const arrived = new Map<string, number>()
    const other = await lab.server("127.0.5.2", {
      refuses: (to) => void (arrived.has(to) || arrived.set(to, performance.now())),
    })
    const provider = await lab.faulty("127.0.5.1", {
      MAIL: () => (isSlow ? "421 4.7.0 Try again later, closing connection" : "250 2.1.0 ok"),
    })
    lab.domain("outlook.example", [["mx.load.olc.protection.outlook.com", 10, "127.0.5.1"]])
    for (let at = 0; at < domains; at++) lab.domain(`n${at}.load.example`, [[`mx${at}.load.example`, 10, "127.0.5.2"]])
    start()

    /** How long the others took: 99 of 100 are at their server by then. */
    async function run(name: string): Promise<number> {
      const others = Array.from(
        { length: mails - toProvider },
        (_, at) => `${name}-${at}@n${at % domains}.load.example`,
      )
      const addresses = [...others, ...Array.from({ length: toProvider }, (_, at) => `${name}-${at}@outlook.example`)]
      // Accepted as they came in: three of ten to the provider.
      const inOrder = shuffled(addresses)
      for (let at = 0; at < inOrder.length; at += 2_000) {
        // More requests than a key may make in a minute.
        await pool().query("DELETE FROM rate_windows")
        const scheduledAt = new Date(Date.now() + 3_600_000).toISOString()
        await mailing.sendTo(sender, inOrder.slice(at, at + 2_000), { scheduledAt })
      }
      const startedAt = performance.now()
      await pool().query(
        `WITH mail AS (UPDATE emails SET status = 'queued', due_at = NULL WHERE project_id = $1 AND status = 'scheduled' RETURNING id)
        UPDATE deliveries d SET status = 'queued', due_at = now() - interval '1 second' FROM mail WHERE d.project_id = $1 AND d.email_id = mail.id`,
        [sender.projectId],
      )
      await vi.waitFor(
        () =>
          expect(
            others.filter((to) => !arrived.has(to)),
            outputs(),
          ).toEqual([]),
        {
          timeout: 600_000,
          interval: 200,
        },
      )
      const times = others.map((to) => (arrived.get(to) ?? Infinity) - startedAt).toSorted((one, next) => one - next)
      return times[Math.ceil(0.99 * times.length) - 1] ?? Infinity
    }

    const delivered = async () => mailing.countOf(sender, "delivered")
    const first = await run("first")
    await vi.waitFor(async () => expect(await delivered()).toBe(mails), { timeout: 120_000, interval: 200 })
    const without = await run("without")
    await vi.waitFor(async () => expect(await delivered()).toBe(2 * mails), { timeout: 120_000, interval: 200 })

    isSlow = true
    const before = provider.connections()
    const slowed = await run("slowed")
    // The pace is halved until it is one a minute, and after that it pauses: each end of a pause is one connection.
    for (let pauses = 1; pauses <= 3; pauses++) {
      await vi.waitFor(async () => expect(await outlook()).toMatchObject({ pause: "slow", pauses }), {
        timeout: 300_000,
        interval: 200,
      })
      const connections = provider.connections()
      if (pauses === 3) isSlow = false
      await endPause()
      if (pauses < 3)
        await vi.waitFor(() => expect(provider.connections()).toBe(connections + 1), { timeout: 20_000, interval: 50 })
    }
    const inTrouble = provider.connections() - before
    const recoveredAt = performance.now()
    await vi.waitFor(async () => expect(await delivered(), outputs()).toBe(3 * mails), {
      timeout: 600_000,
      interval: 100,
    })
    const recoveredMs = performance.now() - recoveredAt
    figures("a provider in trouble", { mails, domains, first, without, slowed, inTrouble, recoveredMs })
    expect(slowed).toBeLessThanOrEqual(1.2 * without)
    expect(recoveredMs).toBeLessThanOrEqual(60_000)
    const { rows } = await pool().query(
      "SELECT count(*)::int AS count FROM deliveries WHERE project_id = $1 AND attempt_count > 1",
      [sender.projectId],
    )
    expect(rows, "attempts that were charged").toEqual([{ count: 0 }])
    expect(new Set(other.taken.map(({ to }) => to)).size).toBe(3 * (mails - toProvider))
    await endWorkers()
  },
  1_800_000,
)

test("G32: at the end of a pause a worker sends one email as a try, and all of them once that is taken", async () => {
  const sender = await mailing.newMailer()
  let isAway = true
  const server = await lab.faulty("127.0.5.4", {
    GREETING: (socket) => (isAway ? void socket.end("421 4.3.0 closing\r\n") : "220 fault.test"),
  })
  lab.domain("pausing.example", [["mx.pausing.example", 10, "127.0.5.4"]])
  await mailing.sendTo(
    sender,
    Array.from({ length: 30 }, (_, at) => `reader-${at}@pausing.example`),
  )
  start()
  const paused = async () => {
    const { rows } = await pool().query(
      `SELECT q.pauses, q.paused_until > now() AS paused FROM delivery_queues q JOIN destinations t ON t.id = q.destination_id
        WHERE 'mx.pausing.example' = ANY (t.hosts)`,
    )
    return rows[0]
  }
  for (let pauses = 1; pauses <= 2; pauses++) {
    await vi.waitFor(async () => expect(await paused(), outputs()).toEqual({ pauses, paused: true }), {
      // With the start of the worker.
      timeout: 60_000,
      interval: 50,
    })
    const before = server.connections()
    if (pauses === 2) isAway = false
    await pool().query("UPDATE delivery_queues SET paused_until = now() WHERE pause = 'away'")
    if (pauses === 2) break
    await vi.waitFor(() => expect(server.connections(), outputs()).toBe(before + 1), { timeout: 20_000, interval: 20 })
  }
  await vi.waitFor(async () => expect(await mailing.countOf(sender, "delivered"), outputs()).toBe(30), {
    timeout: 20_000,
    interval: 50,
  })
  await endWorkers()
}, 120_000)

const [day, warmed] = size([1, 260], [2, 620])
const cap = warmUpCaps[day - 1] ?? 0

test(`G41: two worker processes send exactly the ${cap} emails of an address' day ${day}, and the other ${warmed - cap} wait`, async () => {
  const sender = await mailing.newMailer()
  const server = await lab.server("127.0.5.3")
  for (let at = 0; at < 20; at++) lab.domain(`w${at}.example`, [[`mx.w${at}.example`, 10, "127.0.5.3"]])
  await pool().query(
    `INSERT INTO egress_addresses (id, region, address, ehlo_name, warm_up_day, warm_up_on)
      VALUES ($1, 'eu-west-1', '127.0.0.204', 'out4.mail.example', $2, (now() AT TIME ZONE 'UTC')::date)`,
    [newId(), day],
  )
  await mailing.sendTo(
    sender,
    Array.from({ length: warmed }, (_, at) => `reader-${at}@w${at % 20}.example`),
  )
  start()
  start()
  const waiting = async () => {
    const { rows } = await pool().query(
      "SELECT count(*)::int AS count FROM deliveries WHERE project_id = $1 AND reason = 'warm_up' AND due_at > now()",
      [sender.projectId],
    )
    return { delivered: await mailing.countOf(sender, "delivered"), waiting: rows[0]?.count }
  }
  await vi.waitFor(async () => expect(await waiting(), outputs()).toEqual({ delivered: cap, waiting: warmed - cap }), {
    timeout: 60_000,
    interval: 200,
  })
  expect(server.asked).toHaveLength(cap)
  expect(new Set(server.asked.map(({ client, to }) => `${client} ${to}`)).size).toBe(cap)
  await endWorkers()
}, 120_000)

function start(): void {
  workers.push(bundle.start(lab.variables))
}

async function endWorkers(): Promise<void> {
  await Promise.all(workers.map((worker) => worker.end("SIGTERM")))
  workers = []
}

const outputs = () => workers.map((worker) => worker.output()).join("\n")

async function outlook() {
  const { rows } = await pool().query(
    "SELECT q.* FROM delivery_queues q JOIN destinations t ON t.id = q.destination_id WHERE t.provider = 'Outlook.com'",
  )
  return rows[0]
}

async function endPause(): Promise<void> {
  await pool().query(`UPDATE delivery_queues SET paused_until = now() WHERE pause = 'slow' AND kind = 'destination'`)
}

function shuffled<T>(all: readonly T[]): T[] {
  // The same order in every run.
  return all
    .map((one, at) => ({ one, at: (at * 7_919) % all.length }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one)
}
