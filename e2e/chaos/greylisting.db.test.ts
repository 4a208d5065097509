import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { figures } from "@/e2e/support/chaos/figures"
import * as mailing from "@/e2e/support/chaos/mailing"
import { size } from "@/e2e/support/chaos/size"
import { buildWorker, type WorkerProcess } from "@/e2e/support/chaos/worker-process"
import { type LabServer, type MailLab, startMailLab } from "@/e2e/support/delivery/mail-lab"
import { pool } from "@/lib/platform/database/db"
import { provideEnv } from "@/lib/platform/env/env"
import { newId } from "@/lib/platform/ids"

const mails = size(60, 200)
const ends = size(2, 10)
const sources = ["127.0.0.201", "127.0.0.202", "127.0.0.203"]
const domains = Array.from({ length: 20 }, (_, at) => `grey${at}.example`)

let lab: MailLab
let server: LabServer
let bundle: Awaited<ReturnType<typeof buildWorker>>
let worker: WorkerProcess | undefined
/** By client, sender and recipient, as greylisting knows them: how often each was put off. */
const putOff = new Map<string, number>()

beforeAll(async () => {
  lab = await startMailLab()
  provideEnv(lab.variables)
  server = await lab.server("127.0.0.72", {
    refuses(_, { client, from, to }) {
      const key = [client, from, to].join(" ")
      if (putOff.has(key)) return undefined
      putOff.set(key, 1)
      return { code: 451, text: "4.7.1 Greylisted, try again later" }
    },
  })
  for (const domain of domains) lab.domain(domain, [[`mx.${domain}`, 10, "127.0.0.72"]])
  bundle = await buildWorker()
  for (const address of sources)
    await pool().query(
      "INSERT INTO egress_addresses (id, region, address, ehlo_name) VALUES ($1, 'eu-west-1', $2, $3)",
      [newId(), address, `out${address.at(-1)}.mail.example`],
    )
})

afterAll(async () => {
  await worker?.end("SIGKILL")
  await lab.close()
  bundle.remove()
})

test(`G36: ${mails} greylisted emails pass at their second attempt, each from one of ${sources.length} addresses, though the worker is killed ${ends} times`, async () => {
  const sender = await mailing.newMailer()
  await mailing.sendTo(
    sender,
    Array.from({ length: mails }, (_, at) => `reader-${at}@${domains[at % domains.length]}`),
  )
  // Each is asked for twice: once in vain.
  for (let end = 1; end <= ends; end++) {
    worker = start()
    await asked(Math.floor((end * 2 * mails) / (ends + 1)))
    await worker.end("SIGKILL")
  }
  worker = start()
  await vi.waitFor(
    async () => {
      await hurry()
      expect(await mailing.countOf(sender, "delivered"), worker?.output()).toBe(mails)
    },
    { timeout: 100_000, interval: 500 },
  )
  expect(putOff.size).toBe(mails)
  const clients = new Map(server.asked.map(({ client, helo }) => [client, helo]))
  expect([...clients].sort()).toEqual(sources.map((address) => [address, `out${address.at(-1)}.mail.example`]))
  expect(new Set(server.taken.map(({ to }) => to)).size).toBe(mails)
  figures("greylisting", { mails, ends, passed: mails, copies: server.taken.length - mails })
}, 180_000)

function start(): WorkerProcess {
  return bundle.start(lab.variables)
}

async function asked(count: number): Promise<void> {
  await vi.waitFor(
    async () => {
      await hurry()
      expect(server.asked.length, worker?.output()).toBeGreaterThanOrEqual(count)
    },
    { timeout: 60_000, interval: 100 },
  )
}

/** What waits for its next attempt is due now; what a worker holds, or held when it was killed, when its lease ends. */
async function hurry(): Promise<void> {
  await pool().query(
    `UPDATE deliveries SET due_at = now() - interval '1 second' WHERE status IN ('sending', 'delivery_delayed') AND unfinished = 0
      AND due_at > now()`,
  )
}
