import { setTimeout as wait } from "node:timers/promises"
import { afterAll, beforeAll, expect, test } from "vitest"
import { figures } from "@/e2e/support/chaos/figures"
import * as mailing from "@/e2e/support/chaos/mailing"
import { size } from "@/e2e/support/chaos/size"
import { buildWorker, type WorkerProcess } from "@/e2e/support/chaos/worker-process"
import { api } from "@/e2e/support/world"
import type { FaultServer } from "@/e2e/support/delivery/fault-server"
import type { Sending } from "@/e2e/support/delivery/sending"
import { pool } from "@/lib/platform/database/db"
import { decodeId } from "@/lib/platform/ids"

const mails = size(100, 1_000)
/** Between the due times of two mails. */
const apartMs = 10
/** A cancel comes at most so much before or after the mail is due; the worker checks four times a second. */
const aroundMs = 300

let bundle: Awaited<ReturnType<typeof buildWorker>>
let sink: FaultServer
let worker: WorkerProcess | undefined

beforeAll(async () => {
  bundle = await buildWorker()
  sink = await mailing.openSink()
})

afterAll(async () => {
  await worker?.end("SIGKILL")
  await sink.close()
  bundle.remove()
})

test(`of ${mails} scheduled mails cancelled when they are due, none is both cancelled and at the sink, and none is neither`, async () => {
  const sender = await mailing.newMailer()
  const scheduledAt = new Date(Date.now() + 3600_000).toISOString()
  const ids = await mailing.sendTo(sender, mailing.readers(mails), { scheduledAt })
  worker = bundle.start(mailing.towards(sink))
  await dueOneAfterTheOther(ids)

  const startAt = performance.now()
  const statuses = await Promise.all(
    ids.map(async (emailId, at) => {
      await wait(Math.max(0, startAt + at * apartMs + aroundMs * Math.sin(at) - performance.now()))
      return (await api("DELETE /v1/emails/{emailId}", { key: sender.apiKey, params: { emailId } })).status
    }),
  )
  const cancelled = statuses.filter((status) => status === 200).length
  expect(cancelled).toBeGreaterThan(0)
  expect(statuses.filter((status) => status === 409)).toHaveLength(mails - cancelled)
  await mailing.delivered(sender, mails - cancelled, worker)

  const sent = new Set(sink.received.flatMap((line) => /^RCPT TO:<([^>]+)>/.exec(line)?.[1] ?? []))
  const confirmed = new Set(mailing.readers(mails).filter((_, at) => statuses[at] === 200))
  expect([...sent].filter((address) => confirmed.has(address))).toEqual([])
  expect(sink.messages).toHaveLength(mails - cancelled)
  expect(await mailing.countOf(sender, "cancelled")).toBe(cancelled)
  expect(await ends(sender)).toEqual({ both: 0, events: mails })
  figures("cancel race", { mails, cancelled, sent: sink.messages.length })
}, 120_000)

/** From now on, in the order of sending. */
async function dueOneAfterTheOther(ids: readonly string[]) {
  await pool().query(
    `UPDATE emails e SET due_at = now() + given.place * make_interval(secs => $2), scheduled_at = now()
      FROM unnest($1::uuid[]) WITH ORDINALITY AS given(id, place) WHERE e.id = given.id`,
    [ids.map((id) => decodeId("email", id)), apartMs / 1000],
  )
}

async function ends({ projectId }: Sending) {
  const { rows } = await pool().query(
    `SELECT (SELECT count(*) FROM emails e JOIN deliveries d ON d.email_id = e.id
          WHERE e.project_id = $1 AND (e.status = 'cancelled') <> (d.status = 'cancelled'))::int AS both,
        (SELECT count(*) FROM events WHERE project_id = $1 AND type IN ('cancelled', 'delivered'))::int AS events`,
    [projectId],
  )
  return rows[0]
}
