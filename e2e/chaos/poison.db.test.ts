import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest"
import { measured } from "@/e2e/support/measured"
import { figures } from "@/e2e/support/chaos/figures"
import * as mailing from "@/e2e/support/chaos/mailing"
import { size } from "@/e2e/support/chaos/size"
import { buildWorker, type WorkerProcess } from "@/e2e/support/chaos/worker-process"
import type { FaultServer } from "@/e2e/support/delivery/fault-server"
import { deliveryRows, emailRow, eventTypes, type Sending } from "@/e2e/support/delivery/sending"
import { pool } from "@/lib/platform/database/db"
import { decodeId } from "@/lib/platform/ids"

const good = size(500, 1_000)
/** Of each of four kinds. */
const each = 5
/** Crashes of the worker that the test waits for; ten are allowed. */
const crashes = size(2, 11)

let sink: FaultServer
let worker: WorkerProcess | undefined
const bundles: Awaited<ReturnType<typeof buildWorker>>[] = []

beforeAll(async () => {
  bundles.push(await buildWorker(), await buildWorker("crashing-worker"))
  sink = await mailing.openSink({
    RCPT: (socket) => {
      const command = sink.received.at(-1) ?? ""
      if (command.includes("<hang")) return ""
      if (command.includes("<vanish")) return void socket.destroy()
      return "250 2.1.5 ok"
    },
  })
})

afterEach(async () => {
  await worker?.end("SIGKILL")
  worker = undefined
  sink.messages.length = 0
})

afterAll(async () => {
  await sink.close()
  bundles.forEach((bundle) => bundle.remove())
})

test(
  `${4 * each} poison mails at the head of the queue let ${good} good ones through within twice their time alone`,
  { ...measured, timeout: 120_000 },
  async () => {
    worker = bundles[0]?.start(mailing.towards(sink))
    await warmUp()
    const alone = await timeOf(await mailing.newMailer(), [])
    const sender = await mailing.newMailer()
    const broken = mailing.readers(2 * each, "broken")
    const poison = [...broken, ...mailing.readers(each, "hang"), ...mailing.readers(each, "vanish")]
    const beside = await timeOf(sender, poison)
    figures("poison", { "alone ms": alone, "beside poison ms": beside })
    expect(beside).toBeLessThanOrEqual(2 * alone)

    const { rows } = await pool().query<{ address: string; attempt: number; unfinished: number }>(
      "SELECT address, attempt, unfinished FROM deliveries WHERE project_id = $1 AND address NOT LIKE 'reader%'",
      [sender.projectId],
    )
    expect(rows).toHaveLength(4 * each)
    for (const { address, attempt, unfinished } of rows) {
      expect(attempt, address).toBeGreaterThanOrEqual(1)
      if (address.startsWith("broken")) expect(unfinished, address).toBe(1)
    }
  },
)

test(`a mail that crashes the worker ${crashes} times is counted at each claim and given up after ten, and those beside it are not`, async () => {
  await pool().query("UPDATE deliveries SET due_at = NULL")
  const sender = await mailing.newMailer()
  const [crash = ""] = (await mailing.sendTo(sender, ["crash@x.example", ...mailing.readers(20)])).map(uuid)
  await pool().query("UPDATE deliveries SET unfinished = $2, attempt = $2 WHERE email_id = $1", [crash, 11 - crashes])
  let ends = 0
  while ((await emailRow(crash)).status !== "failed") {
    worker = bundles[1]?.start(mailing.towards(sink))
    ends += 1
    const over = async () => (await emailRow(crash)).status === "failed" || !worker?.isAlive()
    await vi.waitFor(async () => expect(await over(), JSON.stringify(await deliveryRows(crash))).toBe(true), {
      timeout: 20_000,
      interval: 50,
    })
  }
  expect(ends).toBe(crashes)
  const [row] = await deliveryRows(crash)
  expect(row).toMatchObject({ status: "failed", due_at: null })
  expect(row.attempt).toBeGreaterThanOrEqual(11)
  expect(await emailRow(crash)).toMatchObject({ reason: "crashed" })
  expect(await eventTypes(crash)).toEqual(["queued", "failed"])
  await mailing.delivered(sender, 20, worker)
}, 120_000)

/** Keeps the worker's first connections and query plans out of the measurement. */
async function warmUp() {
  const sender = await mailing.newMailer()
  await mailing.sendTo(sender, mailing.readers(100, "early"))
  await mailing.delivered(sender, 100, worker)
}

/** Milliseconds from the moment on which all of a sender's mail may leave until the good ones are delivered. */
async function timeOf(sender: Sending, poison: readonly string[]): Promise<number> {
  await pace(sender, 0, "1 hour")
  const ids = await mailing.sendTo(sender, [...poison, ...mailing.readers(good)])
  await breakUp(ids.slice(0, poison.filter((address) => address.startsWith("broken")).length))
  const startedAt = performance.now()
  await pace(sender, 100_000, "0 seconds")
  await mailing.delivered(sender, good, worker)
  return Math.round(performance.now() - startedAt)
}

/** The next SMTP deliveries, and from when on they are allowed. */
async function pace(sender: Sending, tokens: number, ahead: string) {
  await pool().query(
    `INSERT INTO delivery_allowances (project_id, tokens, refilled_at) VALUES ($1, $2, now() + $3::interval)
      ON CONFLICT (project_id) DO UPDATE SET tokens = excluded.tokens, refilled_at = excluded.refilled_at`,
    [sender.projectId, tokens, ahead],
  )
}

/** Half of them with a sender that is no address, half with attachments that are no list. */
async function breakUp(ids: readonly string[]) {
  const half = ids.length / 2
  await pool().query("UPDATE emails SET from_header = 'no address' WHERE id = ANY ($1)", [ids.slice(0, half).map(uuid)])
  await pool().query(`UPDATE email_bodies SET attachments = '{"not": "a list"}' WHERE email_id = ANY ($1)`, [
    ids.slice(half).map(uuid),
  ])
}

function uuid(id: string): string {
  return decodeId("email", id) ?? ""
}
