import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest"
import { buildWorker, type WorkerProcess } from "@/e2e/chaos/worker-process"
import { api } from "@/e2e/support/world"
import { faultServer, type FaultServer } from "@/lib/delivery/testing/fault-server"
import { newSending, type Sending } from "@/lib/delivery/testing/sending"
import { pool } from "@/lib/platform/db"

const mails = 200
/** How long the sink takes for a mail: five connections then need a second for all. */
const sinkMs = 25

let bundle: Awaited<ReturnType<typeof buildWorker>>
let sink: FaultServer
let worker: WorkerProcess | undefined

beforeAll(async () => {
  bundle = await buildWorker()
  sink = await faultServer({ DOT: (socket) => void setTimeout(() => socket.write("250 2.0.0 kept\r\n"), sinkMs) })
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

test("a worker killed with kill -9 in the middle of 200 sends loses none, and its copies are the same mail", async () => {
  const sender = await newSending()
  await sendMany(sender)
  worker = start()
  await reached(60)
  await worker.end("SIGKILL")
  worker = start()
  await allDelivered(sender)

  const ids = sink.messages.map(messageId)
  expect(new Set(ids).size).toBe(mails)
  expect(ids.length - mails).toBeLessThanOrEqual(40)
  const bytes = new Map(sink.messages.map((message) => [messageId(message), message]))
  for (const message of sink.messages) expect(message).toBe(bytes.get(messageId(message)))
  await oneStory(sender)
})

test("a worker told to stop in the middle of 200 sends loses and doubles none, time and again", async () => {
  const sender = await newSending()
  await sendMany(sender)
  for (const far of [50, 110]) {
    worker = start()
    await reached(far)
    expect(await worker.end("SIGTERM")).toBe(0)
  }
  worker = start()
  await allDelivered(sender)
  expect(sink.messages.map(messageId).sort()).toEqual([...new Set(sink.messages.map(messageId))].sort())
  expect(sink.messages).toHaveLength(mails)
  await oneStory(sender)
})

function start(): WorkerProcess {
  return bundle.start({ SMTP_URL: `smtp://127.0.0.1:${sink.port}?tls=none&delivered=accept` })
}

async function sendMany(sender: Sending) {
  for (let sent = 0; sent < mails; sent += 100) {
    const items = Array.from({ length: 100 }, (_, at) => ({
      from: `hello@${sender.domain}`,
      to: [`reader-${sent + at}@x.example`],
      subject: `Number ${sent + at}`,
      text: "Hello",
    }))
    const { status } = await api("POST /v1/emails/batch", { key: sender.apiKey, body: { items } })
    expect(status).toBe(200)
  }
}

function messageId(message: string): string {
  return /^Message-ID: (\S+)/im.exec(message)?.[1] ?? ""
}

async function reached(count: number) {
  await vi.waitFor(() => expect(sink.messages.length, worker?.output()).toBeGreaterThanOrEqual(count), {
    timeout: 10_000,
    interval: 5,
  })
}

async function allDelivered(sender: Sending) {
  const count = async () => {
    const { rows } = await pool().query(
      "SELECT count(*)::int AS n FROM emails WHERE project_id = $1 AND status = 'delivered'",
      [sender.projectId],
    )
    return rows[0].n
  }
  await vi.waitFor(async () => expect(await count(), worker?.output()).toBe(mails), { timeout: 15_000, interval: 50 })
}

/** Each mail has been sent once and delivered once in its timeline, whatever happened to the workers. */
async function oneStory(sender: Sending) {
  const { rows } = await pool().query(
    "SELECT type, count(*)::int AS n, count(DISTINCT email_id)::int AS emails FROM events WHERE project_id = $1 GROUP BY type ORDER BY type",
    [sender.projectId],
  )
  expect(rows).toEqual(["delivered", "queued", "sent"].map((type) => ({ type, n: mails, emails: mails })))
}
