import { setTimeout as wait } from "node:timers/promises"
import { afterAll, afterEach, beforeAll, expect, test } from "vitest"
import { figures } from "@/e2e/support/chaos/figures"
import * as mailing from "@/e2e/support/chaos/mailing"
import { size } from "@/e2e/support/chaos/size"
import { buildWorker, type WorkerProcess } from "@/e2e/support/chaos/worker-process"
import { create, newMembers, read } from "@/e2e/support/broadcasting"
import type { FaultServer } from "@/e2e/support/delivery/fault-server"
import type { Sending } from "@/e2e/support/delivery/sending"
import { pool } from "@/lib/platform/database/db"
import { decodeId } from "@/lib/platform/ids"

const members = size(300, 10_000)
const kills = size(2, 20)
/** Every so many members one is suppressed. */
const every = 50

let bundle: Awaited<ReturnType<typeof buildWorker>>
let sink: FaultServer
let worker: WorkerProcess | undefined

beforeAll(async () => {
  bundle = await buildWorker()
  sink = await mailing.openSink()
})

afterEach(async () => {
  await worker?.end("SIGKILL")
})

afterAll(async () => {
  await sink.close()
  bundle.remove()
})

test(
  `a broadcast to ${members} members whose worker is killed with kill -9 ${kills} times writes to everybody once`,
  { timeout: 900_000 },
  async () => {
    const sender = await mailing.newMailer()
    // So that the walk takes long enough to be killed in its middle: the queue holds two seconds of this rate.
    await setRate(sender, Math.ceil(members / (kills + 1) / 2))
    const { segmentId, emails } = await newMembers(sender, members)
    const suppressed = emails.filter((_, at) => at % every === 7)
    await suppress(sender, suppressed)
    const startedAt = performance.now()
    const id = await create(sender, [segmentId])
    for (let kill = 1; kill <= kills; kill++) {
      worker = bundle.start(mailing.towards(sink))
      await walked(id, Math.floor((kill * members) / (kills + 1)))
      await worker.end("SIGKILL")
    }
    worker = bundle.start(mailing.towards(sink))
    await walked(id, members)

    const reached = emails.filter((email) => !suppressed.includes(email))
    expect(await read(sender, id)).toMatchObject({
      status: "sent",
      counts: {
        ...{ recipients: members, accepted: reached.length },
        excluded: { unsubscribed: 0, suppressed: suppressed.length, topicOptOut: 0, left: 0 },
      },
    })
    const { rows } = await pool().query<{ canonical: string }>(
      `SELECT d.canonical FROM emails e JOIN deliveries d ON d.email_id = e.id WHERE e.broadcast_id = $1 ORDER BY 1`,
      [decodeId("bc", id)],
    )
    expect(rows.map(({ canonical }) => canonical)).toEqual(reached)
    await mailing.delivered(sender, reached.length, worker)
    const held = mailing.tally(sink)
    expect(held).toMatchObject({ mails: reached.length, differing: 0 })
    await mailing.expectOneStory(sender, reached.length)
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    figures("broadcast, kill -9", { members, kills, seconds, emails: rows.length, copies: held.copies })
  },
)

async function setRate({ projectId }: Sending, rate: number) {
  await pool().query("UPDATE projects SET per_second_sends = $2 WHERE id = $1", [projectId, rate])
}

async function suppress({ projectId }: Sending, emails: readonly string[]) {
  await pool().query(
    "INSERT INTO suppressions (id, project_id, email, reason) SELECT gen_random_uuid(), $1, unnest($2::text[]), 'manual'",
    [projectId, emails],
  )
}

/** Waits until so many members have been decided; at the end for the end of the broadcast. */
async function walked(id: string, count: number) {
  const deadline = Date.now() + 600_000
  for (;;) {
    const { rows } = await pool().query("SELECT accepted + suppressed AS met, status FROM broadcasts WHERE id = $1", [
      decodeId("bc", id),
    ])
    const [row] = rows
    if (count < members ? row.met >= count : row.status === "sent") return
    if (!worker?.isAlive() || Date.now() > deadline) throw new Error(`${row.met} were met.\n${worker?.output()}`)
    await wait(5)
  }
}
