import { afterAll, afterEach, beforeAll, expect, test } from "vitest"
import { figures } from "@/e2e/support/chaos/figures"
import * as mailing from "@/e2e/support/chaos/mailing"
import { size } from "@/e2e/support/chaos/size"
import { buildWorker, type WorkerProcess } from "@/e2e/support/chaos/worker-process"
import type { FaultServer } from "@/e2e/support/delivery/fault-server"
import { pool } from "@/lib/platform/database/db"

const mails = size(120, 2_000)
const ends = size(2, 20)
/** Of the lease that a worker of these tests has. */
const leaseMs = 2_000
/** Mails on the wire when a worker dies may come twice: no more a kill than the tests of reliability allow. */
const copiesAKill = 40

let bundle: Awaited<ReturnType<typeof buildWorker>>
let sink: FaultServer
let worker: WorkerProcess | undefined

beforeAll(async () => {
  bundle = await buildWorker()
  sink = await mailing.openSink()
})

afterEach(async () => {
  await worker?.end("SIGKILL")
  worker = undefined
  sink.messages.length = 0
})

afterAll(async () => {
  await sink.close()
  bundle.remove()
})

test(`a worker killed with kill -9 ${ends} times in the middle of ${mails} sends loses none, and its copies are the same mail`, async () => {
  const sender = await mailing.newMailer()
  await mailing.sendTo(sender, mailing.readers(mails))
  for (let end = 1; end <= ends; end++) await endAfter((end * mails) / (ends + 1), "SIGKILL")
  worker = start()
  await mailing.delivered(sender, mails, worker)

  const held = mailing.tally(sink)
  expect(held).toMatchObject({ mails, differing: 0 })
  expect(held.copies).toBeLessThanOrEqual(ends * copiesAKill)
  await mailing.expectOneStory(sender, mails)
  figures("kill -9", { ends, lost: mails - held.mails, copies: held.copies })
}, 240_000)

test(`a worker told to stop ${ends} times in the middle of ${mails} sends loses and doubles none`, async () => {
  const sender = await mailing.newMailer()
  // In parts, since a stopping worker first sends everything that it has claimed.
  const part = Math.ceil(mails / ends)
  for (let end = 0; end < ends; end++) {
    await mailing.sendTo(sender, mailing.readers(Math.min(part, mails - end * part), `part-${end}`))
    expect(await endAfter(sink.messages.length + 10, "SIGTERM")).toBe(0)
  }
  worker = start()
  await mailing.delivered(sender, mails, worker)

  const held = mailing.tally(sink)
  expect(held).toEqual({ mails, copies: 0, differing: 0 })
  await mailing.expectOneStory(sender, mails)
  figures("SIGTERM", { ends, lost: mails - held.mails, copies: held.copies })
}, 240_000)

test("mail that a killed worker had claimed is claimed by the next within its lease and five seconds", async () => {
  const sender = await mailing.newMailer()
  // Few enough that the next worker has room for them all: how fast it sends them is not what is measured.
  await mailing.sendTo(sender, mailing.readers(90))
  await endAfter(50, "SIGKILL")
  const { rows: orphans } = await pool().query(
    "SELECT id, attempt FROM deliveries WHERE project_id = $1 AND status = 'sending'",
    [sender.projectId],
  )
  expect(orphans.length).toBeGreaterThan(0)
  worker = start()
  // How long a busy machine takes to load a program is not the queue's.
  await expect.poll(() => worker?.output(), { timeout: 20_000, interval: 20 }).toContain("started")
  const startedAt = performance.now()
  while ((await stillOrphans(orphans)) > 0) expect(performance.now() - startedAt).toBeLessThan(leaseMs + 5_000)
  figures("orphans", { held: orphans.length, "back after ms": Math.round(performance.now() - startedAt) })
  await mailing.delivered(sender, 90, worker)
}, 60_000)

function start(): WorkerProcess {
  return bundle.start(mailing.towards(sink))
}

async function endAfter(messages: number, signal: "SIGKILL" | "SIGTERM"): Promise<number | null> {
  worker = start()
  await mailing.received(sink, Math.floor(messages), worker)
  return worker.end(signal)
}

async function stillOrphans(orphans: { id: string; attempt: number }[]): Promise<number> {
  const { rows } = await pool().query(
    `SELECT count(*)::int AS n FROM deliveries d JOIN unnest($1::uuid[], $2::int[]) AS orphan(id, attempt) USING (id, attempt)
      WHERE d.status = 'sending'`,
    [orphans.map(({ id }) => id), orphans.map(({ attempt }) => attempt)],
  )
  return rows[0].n
}
