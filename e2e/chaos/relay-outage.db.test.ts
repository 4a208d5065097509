import { createServer, type Server, type Socket } from "node:net"
import { afterEach, expect, test, vi } from "vitest"
import { figures } from "@/e2e/support/chaos/figures"
import * as mailing from "@/e2e/support/chaos/mailing"
import { size } from "@/e2e/support/chaos/size"
import { buildWorker, type WorkerProcess } from "@/e2e/support/chaos/worker-process"
import { runDeliveries } from "@/lib/delivery/queue/worker"
import { runProbes } from "@/lib/delivery/regions/probe"
import { createRelays } from "@/lib/delivery/regions/relays"
import type { FaultServer } from "@/e2e/support/delivery/fault-server"
import type { Sending } from "@/e2e/support/delivery/sending"
import { pool } from "@/lib/platform/database/db"
import { provideEnv } from "@/lib/platform/env/env"
import { log } from "@/lib/platform/log"
import { systemIo } from "@/lib/regions/io"

const region = "eu-west-1"
const mails = size(300, 1_000)
/** Ten minutes with a probe every 15 s, or the same a hundred times faster. */
const pace = size(100, 1)
const outageMs = 600_000 / pace
const probeSeconds = 15 / pace

let down: Gate | undefined
let sink: FaultServer | undefined
let worker: WorkerProcess | undefined
let stop = new AbortController()
let loops: Promise<unknown>[] = []

afterEach(async () => {
  stop.abort()
  await Promise.all(loops)
  await worker?.end("SIGKILL")
  await down?.close()
  await sink?.close()
  vi.restoreAllMocks()
  loops = []
  stop = new AbortController()
  down = sink = worker = undefined
  await pool().query("DELETE FROM region_outages")
  await pool().query("UPDATE deliveries SET due_at = NULL")
})

const hangsUp = ["hangs up on everybody", (socket: Socket) => void socket.destroy()] as const
const refuses = ["refuses everybody at the greeting", (socket: Socket) => void socket.end("421 4.3.2 no\r\n")] as const

test.each(size([hangsUp], [hangsUp, refuses]))(
  `a relay that ${size("for 1/100 of ", "")}10 minutes %s gets at most 60 connections of two workers, then ${mails} mails within 60 s, and no try is charged`,
  async (_, answer) => {
    vi.spyOn(log, "error").mockReturnValue()
    const sender = await mailing.newMailer()
    await mailing.sendTo(sender, mailing.readers(mails))
    down = await gate(answer)
    const { port } = down
    startWorkers(port)
    await new Promise((resolve) => setTimeout(resolve, outageMs))
    const { connections } = down
    expect(connections()).toBeGreaterThan(5)
    expect(connections()).toBeLessThanOrEqual(60)
    expect(await outcomeOf(sender)).toEqual({ attempts: 0, failed: 0 })

    await down.close()
    const backAt = performance.now()
    sink = await mailing.openSink({}, port)
    await mailing.received(sink, 1)
    const firstMs = performance.now() - backAt
    await mailing.delivered(sender, mails)
    const allMs = performance.now() - backAt
    figures("relay outage", { connections: connections(), "first ms": firstMs, "all ms": allMs })
    expect(firstMs).toBeLessThan(20_000)
    expect(allMs).toBeLessThan(60_000)
    expect(await outcomeOf(sender)).toEqual({ attempts: mails, failed: 0 })
    await mailing.expectOneStory(sender, mails)
  },
  outageMs + 120_000,
)

test("a worker killed while the region is down leaves the outage to the next one, which releases the mail", async () => {
  const bundle = await buildWorker()
  try {
    const sender = await mailing.newMailer()
    await mailing.sendTo(sender, mailing.readers(50))
    down = await gate((socket) => void socket.destroy())
    const env = { SMTP_URL: `smtp://127.0.0.1:${down.port}?tls=none&delivered=accept` }
    worker = bundle.start(env)
    await vi.waitFor(async () => expect(await outages(), worker?.output()).toBe(1), { timeout: 20_000, interval: 50 })
    await worker.end("SIGKILL")
    const { port } = down
    await down.close()
    sink = await mailing.openSink({}, port)
    worker = bundle.start(env)
    await pool().query("UPDATE region_outages SET next_probe_at = now() - interval '1 second'")
    await mailing.delivered(sender, 50, worker)
    expect(await outages()).toBe(0)
    expect(await outcomeOf(sender)).toEqual({ attempts: 50, failed: 0 })
    expect(mailing.tally(sink)).toEqual({ mails: 50, copies: 0, differing: 0 })
  } finally {
    bundle.remove()
  }
}, 60_000)

/** Two workers, each with its own connections. */
function startWorkers(port: number) {
  provideEnv({ SMTP_URL: `smtp://127.0.0.1:${port}?tls=none&delivered=accept` })
  const { signal } = stop
  for (const relays of [createRelays(), createRelays()]) {
    Object.assign(relays.named(region) ?? {}, { probeSeconds })
    const work = Promise.all([
      runDeliveries({ region, relays, io: systemIo(), signal }),
      runProbes({ relays, signal, pollMs: Math.max(25, 1_000 / pace) }),
    ])
    loops.push(work.finally(() => relays.close()))
  }
}

type Gate = { port: number; connections(): number; close(): Promise<void> }

/** Where a relay was: counts who comes and turns them away. */
async function gate(answer: (socket: Socket) => void): Promise<Gate> {
  let connections = 0
  const server: Server = createServer((socket) => {
    connections += 1
    socket.on("error", () => {})
    answer(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("The gate has no port.")
  return {
    port: address.port,
    connections: () => connections,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

async function outages(): Promise<number> {
  const { rows } = await pool().query<{ n: number }>("SELECT count(*)::int AS n FROM region_outages")
  return rows[0]?.n ?? 0
}

async function outcomeOf({ projectId }: Sending): Promise<{ attempts: number; failed: number }> {
  const { rows } = await pool().query<{ attempts: number; failed: number }>(
    `SELECT sum(attempt_count)::int AS attempts, count(*) FILTER (WHERE status IN ('failed', 'bounced', 'indeterminate'))::int AS failed
      FROM deliveries WHERE project_id = $1`,
    [projectId],
  )
  return rows[0] ?? { attempts: -1, failed: -1 }
}
