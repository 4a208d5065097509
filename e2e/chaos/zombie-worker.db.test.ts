import { setTimeout as wait } from "node:timers/promises"
import { afterAll, afterEach, beforeAll, expect, test } from "vitest"
import { figures } from "@/e2e/support/chaos/figures"
import * as mailing from "@/e2e/support/chaos/mailing"
import { size } from "@/e2e/support/chaos/size"
import { watchStatuses } from "@/e2e/support/chaos/statuses"
import { buildWorker, type WorkerProcess } from "@/e2e/support/chaos/worker-process"
import type { FaultServer } from "@/e2e/support/delivery/fault-server"
import { pool } from "@/lib/platform/database/db"

const mails = 200
const stops = size(1, 10)
const leaseMs = 2_000
/** Mails on the wire, or about to be, when a worker is stopped. */
const copiesAStop = 20

let bundle: Awaited<ReturnType<typeof buildWorker>>
let sink: FaultServer
const workers: WorkerProcess[] = []

beforeAll(async () => {
  bundle = await buildWorker()
  sink = await mailing.openSink()
})

afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.end("SIGKILL")))
})

afterAll(async () => {
  await sink.close()
  bundle.remove()
})

test(`a worker stopped for twice its lease in the middle of ${mails} sends and continued, ${stops} times over, turns nothing back`, async () => {
  const sender = await mailing.newMailer()
  const watch = watchStatuses(sender)
  let zombie = start()
  for (let stop = 1; stop <= stops; stop++) {
    const before = sink.messages.length
    await mailing.sendTo(sender, mailing.readers(mails, `round-${stop}`))
    await mailing.received(sink, before + mails / 4, zombie)
    process.kill(zombie.pid, "SIGSTOP")
    const held = await inHand(sender.projectId)
    expect(held.length).toBeGreaterThan(0)
    const young = start()
    await wait(2 * leaseMs)
    await takenOver(held)
    process.kill(zombie.pid, "SIGCONT")
    expect(await zombie.end("SIGTERM"), zombie.output()).toBe(0)
    zombie = young
    await mailing.delivered(sender, stop * mails, zombie)
  }

  expect(await watch.stop()).toEqual([])
  await mailing.expectOneStory(sender, stops * mails)
  const held = mailing.tally(sink)
  expect(held).toMatchObject({ mails: stops * mails, differing: 0 })
  expect(held.copies).toBeLessThanOrEqual(stops * copiesAStop)
  figures("SIGSTOP", { stops, lost: stops * mails - held.mails, copies: held.copies })
}, 240_000)

function start(): WorkerProcess {
  const worker = bundle.start(mailing.towards(sink))
  workers.push(worker)
  return worker
}

type Held = { id: string; attempt: number }

async function inHand(projectId: string): Promise<Held[]> {
  return (
    await pool().query<Held>("SELECT id, attempt FROM deliveries WHERE project_id = $1 AND status = 'sending'", [
      projectId,
    ])
  ).rows
}

/** All that the stopped worker held belongs to the other by now. */
async function takenOver(held: readonly Held[]) {
  await expect
    .poll(
      async () => {
        const { rows } = await pool().query(
          `SELECT count(*)::int AS n FROM deliveries d JOIN unnest($1::uuid[], $2::int[]) AS held(id, attempt) USING (id, attempt) WHERE d.status = 'sending'`,
          [held.map(({ id }) => id), held.map(({ attempt }) => attempt)],
        )
        return rows[0].n
      },
      { timeout: 20_000, interval: 50 },
    )
    .toBe(0)
}
