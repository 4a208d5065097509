import { expectProblem } from "@/e2e/support/expect-problem"
import { randomBytes } from "node:crypto"
import type { Socket } from "node:net"
import { dkimVerify } from "mailauth/lib/dkim/verify"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { measured } from "@/e2e/support/measured"
import { figures } from "@/e2e/support/chaos/figures"
import { size } from "@/e2e/support/chaos/size"
import { buildWorker } from "@/e2e/support/chaos/worker-process"
import { api } from "@/e2e/support/world"
import { createDeliveryClaim } from "@/lib/delivery/queue/claims/data"
import { createDeliverer } from "@/lib/delivery/queue/worker"
import { prepareWork } from "@/lib/delivery/queue/prepare"
import type { Relays } from "@/lib/delivery/regions/relays"
import { faultServer, type FaultServer } from "@/e2e/support/delivery/fault-server"
import {
  deliverDue,
  emailRow,
  newSending,
  passWait,
  relayAt,
  sendMail,
  type Sending,
} from "@/e2e/support/delivery/sending"
import { base64Lines } from "@/lib/emails/content/cuts"
import { pool } from "@/lib/platform/database/db"
import { decodeId, encodeId } from "@/lib/platform/ids"
import { systemIo } from "@/lib/regions/io"

let server: FaultServer
let relays: Relays
let refuseNext = 0

beforeAll(async () => {
  server = await faultServer({ DOT: () => (refuseNext-- > 0 ? "451 4.3.0 try later" : "250 2.0.0 ok") })
  relays = relayAt(server.port)
})

afterAll(async () => {
  await relays.close()
  await server.close()
})

const mebibyte = 2 ** 20
const recipients = size(4, 50)
const fileBytes = size(1, 10) * mebibyte

test(
  "a large file to many is accepted beside small sends, stored once, and reaches everybody with the right bytes and a valid signature",
  { ...measured, timeout: 600_000 },
  async () => {
    const sender = await newSending()
    const other = await newSending()
    await sendMail(sender)
    await sendMail(other)
    await deliverDue(relays)
    server.messages.length = 0
    const file = randomBytes(fileBytes)
    const attachments = [
      { filename: "a.bin", content: file.toString("base64"), contentType: "application/octet-stream" },
    ]
    const to = Array.from({ length: recipients }, (_, at) => `ada+${at}@lovelace.example`)

    const neighbours = [sender, other].map(({ apiKey, domain }) => ({ key: apiKey, from: `hello@${domain}` }))
    const { times: alone } = await beside(neighbours, () => new Promise((resolve) => setTimeout(resolve, 1_500)))
    const { times, done: sent } = await beside(neighbours, () =>
      api("POST /v1/emails", { key: sender.apiKey, body: { ...mail(sender), to, attachments } }),
    )
    expect(sent.status).toBe(201)
    expect(sent.json.messages).toHaveLength(recipients)
    figures("large send", {
      recipients,
      "file bytes": fileBytes,
      "calls beside it": times.length,
      "p99 alone ms": at99(alone),
      "p99 ms": at99(times),
      "longest ms": Math.max(...times),
    })
    // A machine that is slow for small sends alone says nothing of the large one.
    expect(at99(times)).toBeLessThan(Math.max(size(1_000, 250), 4 * at99(alone)))

    expect(await storedBytes(sender)).toBeLessThan(fileBytes * 1.02 + 200_000)
    const seen = new Set<string>()
    await deliverFew(sender, async (raw) => {
      if (!raw.includes("a.bin")) return
      expect(raw.includes(base64Lines(file))).toBe(true)
      expect(await verdict(raw, sender)).toBe("pass")
      seen.add(/^To: (\S+)\r$/m.exec(raw)?.[1] ?? "")
    })
    expect([...seen].sort()).toEqual(to.toSorted())
    expect(await storedBytes(sender)).toBeLessThan(fileBytes * 1.02 + 400_000)
  },
)

test("every attempt sends the bytes of the first, and the raw message is the same", async () => {
  const sender = await newSending()
  const content = randomBytes(200_000).toString("base64")
  const attachments = [1, 2].map((n) => ({ filename: `${n}.bin`, content, contentType: "application/pdf" }))
  const ids = await sendMail(sender, {
    to: ["a@x.example", "b@x.example"],
    html: "<p>Grüße</p>",
    attachments,
    sendTimeCategory: "marketing",
  })
  server.messages.length = 0
  refuseNext = 2
  await deliverDue(relays)
  for (const id of ids) await passWait(id)
  await deliverDue(relays)
  expect(server.messages).toHaveLength(4)
  expect(new Set(server.messages).size).toBe(2)
  for (const id of ids) {
    expect(await emailRow(id)).toMatchObject({ status: "delivered" })
    const params = { projectId: sender.project, emailId: encodeId("email", id) }
    const { response } = await api("GET /v1/projects/{projectId}/emails/{emailId}/raw", { key: sender.apiKey, params })
    const raw = Buffer.from(await response.arrayBuffer()).toString("latin1")
    expect(server.messages.map((one) => one.replaceAll("\r\n..", "\r\n."))).toContain(raw)
    expect(await verdict(raw, sender)).toBe("pass")
  }
})

test("small bodies of a send to many are stored once, and every message shows and sends them", async () => {
  const sender = await newSending()
  const ids = await sendMail(sender, {
    to: ["a@x.example", "b@x.example", "c@x.example"],
    text: "Only once",
    html: "<p>Once</p>",
  })
  const { rows } = await pool().query("SELECT email_id FROM email_bodies WHERE project_id = $1 AND text IS NOT NULL", [
    sender.projectId,
  ])
  expect(rows).toEqual([{ email_id: ids[0] }])
  for (const id of ids) {
    const params = { projectId: sender.project, emailId: encodeId("email", id) }
    const { json } = await api("GET /v1/projects/{projectId}/emails/{emailId}", { key: sender.apiKey, params })
    expect(json).toMatchObject({ text: "Only once", html: "<p>Once</p>" })
  }
  server.messages.length = 0
  await deliverDue(relays)
  expect(server.messages.filter((raw) => raw.includes("Only once"))).toHaveLength(3)
})

test("small mails of one send are attempted side by side, though their bodies are stored apart", async () => {
  const sender = await newSending()
  const count = 8
  const waiting: Socket[] = []
  const answer = () => waiting.splice(0).forEach((socket) => socket.write("250 2.0.0 ok\r\n"))
  let together = 0
  let impatient: NodeJS.Timeout | undefined
  // Takes the mails once all of them are there; or those that are, after a while.
  const slow = await faultServer({
    DOT: (socket) => {
      together = Math.max(together, waiting.push(socket))
      clearTimeout(impatient)
      if (waiting.length === count) answer()
      else impatient = setTimeout(answer, 2_000)
    },
  })
  const theirs = relayAt(slow.port, `delivered=accept&connections=${count}`)
  await sendMail(sender, {
    to: Array.from({ length: count }, (_, at) => `reader-${at}@x.example`),
    attachments: [{ filename: "a.txt", content: "SGk=", contentType: "text/plain" }],
  })
  await deliverDue(theirs)
  expect(together).toBe(count)
  await theirs.close()
  await slow.close()
})

test("attachments are dropped once the composed message contains them", async () => {
  const sender = await newSending()
  const attachments = [
    { filename: "a.txt", content: Buffer.from("small").toString("base64"), contentType: "text/plain" },
  ]
  const [id = ""] = await sendMail(sender, { attachments })
  await deliverDue(relays)
  const { rows } = await pool().query("SELECT attachments, raw FROM email_bodies WHERE email_id = $1", [id])
  expect(rows[0].attachments).toBeNull()
  expect(rows[0].raw.toString()).toContain(Buffer.from("small").toString("base64"))
})

test("what one request makes is bounded: beyond 64 MiB it is 413, alone and as a batch, and nothing is stored", async () => {
  const sender = await newSending()
  const to = Array.from({ length: 50 }, (_, at) => `ada+${at}@lovelace.example`)
  const html = "x".repeat(1.5 * mebibyte)
  const alone = await api("POST /v1/emails", { key: sender.apiKey, body: { ...mail(sender), to, html } })
  expectProblem(alone, 413, "request.too_large")
  const items = [1, 2].map(() => ({ ...mail(sender), to: to.slice(0, 25), html }))
  const batch = await api("POST /v1/emails/batch", { key: sender.apiKey, body: { items } })
  expectProblem(batch, 413, "request.too_large")
  expect(await storedBytes(sender)).toBe(0)
})

test("the content of a send that is refused, or replays another, is not stored", async () => {
  const sender = await newSending()
  const body = { ...mail(sender), html: "x".repeat(100_000), idempotencyKey: "once" }
  const send = (more: Record<string, unknown> = {}) =>
    api("POST /v1/emails", { key: sender.apiKey, body: { ...body, ...more } })
  const first = await send()
  const again = await send()
  expect(first.status).toBe(201)
  expect(again.status).toBe(201)
  expect(again.headers.get("idempotent-replayed")).toBe("true")
  expect(again.json).toEqual(first.json)
  await pool().query("UPDATE organizations SET daily_sends = 0 WHERE id = $1", [sender.organizationId])
  expect((await send({ idempotencyKey: "other" })).status).toBe(429)
  const { rows } = await pool().query("SELECT id FROM email_contents WHERE project_id = $1", [sender.projectId])
  expect(rows).toEqual([{ id: decodeId("email", first.json.id) }])
})

test("a project with forty large mails at once leaves another its turn: its own is stored after few of them", async () => {
  const [sender, other] = [await newSending(), await newSending()]
  const send = ({ apiKey, ...from }: Sending) =>
    api("POST /v1/emails", {
      key: apiKey,
      body: { ...mail({ apiKey, ...from }), to: ["ada@lovelace.example"], text: "x".repeat(150_000) },
    })
  let stored = 0
  const theirs = Array.from({ length: 40 }, async () => {
    const { status } = await send(sender)
    stored += 1
    return status
  })
  const { status } = await send(other)
  expect({ status, before: stored < 10 }, `${stored} of 40 were stored before it`).toEqual({
    status: 201,
    before: true,
  })
  expect(new Set(await Promise.all(theirs))).toEqual(new Set([201]))
})

test("a large mail heeds who has left, and that its project is suspended, while it waited for its turn", async () => {
  await pool().query("UPDATE deliveries SET due_at = NULL")
  const sender = await newSending()
  const held: Socket[] = []
  let isSlow = true
  const slow = await faultServer({ DOT: (socket) => (isSlow ? void held.push(socket) : "250 2.0.0 ok") })
  const relaysOfSlow = relayAt(slow.port)
  const to = ["a", "b", "c", "d"].map((name) => `${name}@x.example`)
  const ids = await sendMail(sender, { to, text: "x".repeat(100_000) })
  const delivering = deliverDue(relaysOfSlow)
  await vi.waitFor(() => expect(held).toHaveLength(2), 20_000)
  const begun = slow.received.flatMap((line) => /^RCPT TO:<([^>]+)>/.exec(line)?.[1] ?? [])
  const [left = "", other = ""] = to.filter((address) => !begun.includes(address))
  const idOf = (address: string) => ids[to.indexOf(address)] ?? ""
  const { status } = await api("POST /v1/projects/{projectId}/suppressions", {
    key: sender.apiKey,
    params: { projectId: sender.project },
    body: { email: left },
  })
  expect(status).toBe(201)
  isSlow = false
  const suspend = (at: string) =>
    pool().query(`UPDATE projects SET suspended_at = ${at} WHERE id = $1`, [sender.projectId])
  await suspend("now()")
  await new Promise((resolve) => setTimeout(resolve, 5_500))
  for (const socket of held) socket.write("250 2.0.0 ok\r\n")
  await delivering
  expect(slow.messages, "what was sent while the project was suspended").toHaveLength(2)
  await suspend("NULL")
  await deliverDue(relaysOfSlow)
  expect((await emailRow(idOf(left))).status).toBe("suppressed")
  expect((await emailRow(idOf(other))).status).toBe("delivered")
  expect(slow.messages).toHaveLength(3)
  await relaysOfSlow.close()
  await slow.close()
})

const mail = (sender: Sending) => ({
  from: `hello@${sender.domain}`,
  to: ["ada@lovelace.example"],
  subject: "Hello",
  text: "Hi",
})

/** What a process of its own measured of small sends and claims while something else was done here. */
async function beside<T>(neighbours: { key: string; from: string }[], work: () => Promise<T>) {
  const worker = await buildWorker("neighbour-worker")
  const running = worker.start({ NEIGHBOURS: JSON.stringify(neighbours) })
  await expect.poll(running.output, { timeout: 60_000 }).toContain("ready")
  const done = await work()
  await running.end("SIGTERM")
  worker.remove()
  return { done, times: JSON.parse(running.output().split("\n")[1] ?? "[]") as number[] }
}

function at99(times: number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * 0.99)] ?? 0
}

/** A few at a time, as their bytes are read and forgotten. */
async function deliverFew(sender: Sending, check: (raw: string) => Promise<void>): Promise<void> {
  const claim = createDeliveryClaim()
  const deliver = createDeliverer({ region: "eu-west-1", relays, io: systemIo() })
  for (;;) {
    server.messages.length = 0
    const work = await prepareWork(await claim({ region: "eu-west-1", limit: 4, leaseMs: 60_000 }))
    if (work.length === 0) return
    await Promise.all(work.map((one) => deliver(one, new AbortController().signal)))
    for (const raw of server.messages) await check(raw.replaceAll("\r\n..", "\r\n."))
  }
}

/** Bytes of bodies, contents and composed messages of a project. */
async function storedBytes({ projectId }: Sending): Promise<number> {
  const { rows } = await pool().query<{ bytes: number }>(
    `SELECT (SELECT coalesce(sum(pg_column_size(b.*)), 0) FROM email_bodies b WHERE b.project_id = $1)::float8
      + (SELECT coalesce(sum(octet_length(c.files) + coalesce(octet_length(c.html), 0) + coalesce(octet_length(c.text), 0)), 0)
        FROM email_contents c WHERE c.project_id = $1)::float8 AS bytes`,
    [projectId],
  )
  return rows[0]?.bytes ?? 0
}

async function verdict(raw: string, { selector, domain, publicKey }: Sending): Promise<string | undefined> {
  const { results } = await dkimVerify(Buffer.from(raw, "latin1"), {
    resolver: async (name: string) => {
      if (name === `${selector}._domainkey.${domain}`) return [[`v=DKIM1; k=rsa; p=${publicKey}`]]
      throw Object.assign(new Error("no such name"), { code: "ENOTFOUND" })
    },
  })
  return results[0]?.status.result
}
