import { randomUUID } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { createParser } from "eventsource-parser"
import pg from "pg"
import sharp from "sharp"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { buildWorker, type WorkerProcess } from "@/e2e/support/chaos/worker-process"
import { createImporting } from "@/e2e/support/contacts/importing"
import { freshDatabase, type TestDatabase } from "@/e2e/support/database"
import { faultServer, type FaultServer } from "@/e2e/support/delivery/fault-server"
import { newSending, sendMail, type Sending } from "@/e2e/support/delivery/sending"
import { runAdmin } from "@/e2e/support/product"
import { api, newKey, newWorld, type World } from "@/e2e/support/world"
import { verifyAuditLog } from "@/lib/access/audit/chain/data"
import { adminCommands } from "@/lib/cli/admin-commands"
import { pictureFolder, sweepPictures } from "@/lib/contacts/images/data"
import { closeDatabase, pool } from "@/lib/platform/database/db"
import { env, provideEnv } from "@/lib/platform/env/env"
import { encodeId } from "@/lib/platform/ids"
import { storage } from "@/lib/platform/storage/storage"
import { hourMs } from "@/lib/platform/time"
import { streamedTypes } from "@/lib/stream/schema"
import { removalSteps } from "@/lib/worker/removal-sql"

// One move between two installations that run, each a process of its own, seen by those who call them: through a router that
// sends what a cell answers with 421 to the cell that the answer names.

type Cell = "a1" | "b1"

/** Messages that the organization may send in the day. */
const daily = 250
/** What is left in the bucket of its second project, which may send one message a second. */
const burst = 20
const senders = 8
const domainsMax = 30
/** Of a file whose import takes some seconds. */
const importedRows = 20_000

const { databaseUrl: here, dataDir } = env()
const folder = mkdtempSync(join(tmpdir(), "mailroom-cell-"))
let there: TestDatabase
let target: pg.Client
let bundle: Awaited<ReturnType<typeof buildWorker>>
let relay: FaultServer
const processes: WorkerProcess[] = []
const addresses = {} as Record<Cell, string>

let own: Sending
let slow: Sending
let other: Sending
/** Three keys of the first project: each may send 300 emails a minute. */
let keys: string[]
/** A key whose requests for domains are used up. */
let spent: string
let heldSeconds = 0
let setAside = 0
let slowFrom = 0
let slowSeconds = 0
/** By idempotency key. */
const accepted = new Map<string, string>()
const refusals = new Set<string>()
const seen: string[] = []
const opened: Cell[] = []
type Probe = { cell: Cell; status: number; named: string | null; from: number; until: number }
const probes: Probe[] = []
let importId: string
let scheduled: string
let withPicture: string
let withOthers: string
let picture: Buffer

beforeAll(async () => {
  provideEnv({ CELL: "a1" })
  there = await freshDatabase(`cell_${randomUUID().slice(0, 8)}`)
  target = new pg.Client({ connectionString: there.url })
  await target.connect()
  relay = await faultServer({})
  bundle = await buildWorker("cell-process")
  await prepare()
  const neighbour = await newNeighbour()
  await Promise.all([start("a1", here, dataDir), start("b1", there.url, folder)])

  picture = await pictureOf("a1", withPicture)

  const left = new AbortController()
  const reading = follow(left.signal)
  // Its process at the new cell reads events all the while.
  const { json } = await ask("b1", "POST", `/v1/emails/${neighbour.project}/stream/token`, { key: neighbour.apiKey })
  const beside = await fetch(`${addresses.b1}/v1/emails/stream?token=${json.token}`, { signal: left.signal })
  expect(beside.status).toBe(200)
  await vi.waitFor(() => expect(opened).toEqual(["a1"]))

  for (let n = 0; n < domainsMax; n++) expect((await ask("a1", "GET", domainsOf(own), { key: spent })).status).toBe(200)
  await atOnce(senders, () => untilRefused(slow, "quota.send_rate_exceeded"))
  setAside = await setMessagesAside()

  const ended = new AbortController()
  const loads = [
    ...[1, 2].map(() => during(ended.signal, 300, () => send(own))),
    during(ended.signal, 500, () => upload(withOthers)),
    during(ended.signal, 200, () => probe("a1")),
    during(ended.signal, 200, () => probe("b1")),
  ]
  await wait(1_000)
  const moved = await admin(
    ...[...organizationOf(own), "--to", there.url, "--cell", "b1", "--address", addresses.b1, "--files", folder],
  )
  heldSeconds = Number(moved.heldSeconds)
  await wait(1_500)
  ended.abort()
  await Promise.all(loads)

  await atOnce(senders, () => untilRefused(slow, "quota.send_rate_exceeded"))
  slowSeconds = (performance.now() - slowFrom) / 1_000
  await target.query(
    "UPDATE emails SET due_at = now() - interval '1 second', scheduled_at = now() - interval '1 minute' WHERE project_id = $1 AND status = 'scheduled'",
    [own.projectId],
  )
  await vi.waitFor(() => expect(relay.messages.some((text) => text.includes("Scheduled"))).toBe(true))
  await atOnce(senders, () => untilRefused(own, "quota.daily_exceeded"))
  await vi.waitFor(async () => expect(await waiting()).toBe(0), 60_000)
  const last = (await streamed()).at(-1)
  await vi.waitFor(() => expect(seen.at(-1)).toBe(last))
  left.abort()
  await reading
}, 300_000)

afterAll(async () => {
  await Promise.all(processes.map((one) => one.end("SIGTERM")))
  bundle.remove()
  await relay.close()
  await target.end()
  await there.drop()
  rmSync(folder, { recursive: true, force: true })
})

describe("While an organization moves to another cell,", () => {
  test("a reader of its events is cut off, goes on at the new cell behind the last one, and sees each once and in order", async () => {
    // One that begins in the second in which its process does not know of the hold is cut off too.
    expect(opened.join(" ")).toMatch(/^(a1 )+b1$/)
    const events = await streamed()
    expect(events.length).toBeGreaterThan(100)
    expect(seen).toEqual(events)
  })

  test("a key is served by one cell at a time: 503 while it is held, then 421 with the name of the new cell, which serves it", () => {
    expect(steps("a1")).toEqual([200, 503, 421])
    expect(steps("b1")).toEqual([401, 503, 200])
    expect(new Set(probesOf("a1").map(({ status, named }) => status === 421 && named))).toEqual(new Set([false, "b1"]))
    const answered = (cell: Cell) => probesOf(cell).filter(({ status }) => status === 200)
    expect(answered("a1").at(-1)?.until).toBeLessThan(answered("b1")[0]?.from ?? 0)
    expect(heldSeconds).toBeLessThan(10)
  })

  test("its callers have every accepted email once, and what they repeat is known", async () => {
    expect(refusals).toEqual(new Set(["quota.send_rate_exceeded", "quota.daily_exceeded"]))
    const { rows } = await target.query("SELECT id FROM emails WHERE project_id = ANY ($1)", [
      [own.projectId, slow.projectId],
    ])
    const ids = rows.map(({ id }) => encodeId("email", id)).toSorted()
    expect([...accepted.values(), encodeId("email", scheduled)].toSorted()).toEqual(ids)
    const mails = relay.messages.filter((text) => [own, slow].some(({ domain }) => text.includes(domain)))
    const subjects = mails.map((text) => /^Subject: (.+?)\r$/m.exec(text)?.[1])
    expect(subjects.toSorted()).toEqual([...accepted.keys(), "Scheduled"].toSorted())
    const [name = "", id] = [...accepted].find(([of]) => of.startsWith("own")) ?? []
    const again = await ask("b1", "POST", "/v1/emails", { key: own.apiKey, body: mailOf(own, name) })
    expect(again.json.id).toBe(id)
    const read = await ask("b1", "GET", `/v1/emails/${id}`, { key: own.apiKey })
    expect(read.json.status).toBe("delivered")
  })

  test("of its day exactly the quota is sent, with what was set aside at the old cell", async () => {
    expect(setAside).toBeGreaterThan(0)
    expect(accepted.size + 1).toBe(daily)
    const settings = await ask("b1", "GET", `/v1/projects/${own.project}/settings`, { key: own.apiKey })
    expect(settings.json.limits.dailySends).toMatchObject({ value: daily, used: daily })
  })

  test("a bucket does not fill by the move, nor does the window of a rate limit begin anew", async () => {
    const sent = [...accepted.keys()].filter((key) => key.startsWith("slow")).length
    expect(sent).toBeGreaterThanOrEqual(burst)
    expect(sent).toBeLessThanOrEqual(burst + Math.ceil(slowSeconds))
    const next = await ask("b1", "GET", domainsOf(own), { key: spent })
    expect({ status: next.status, code: next.json.code }).toEqual({ status: 429, code: "rate_limit.exceeded" })
  })

  test("pictures are shown by the new cell, also those that came meanwhile", async () => {
    expect(await pictureOf("b1", withPicture)).toEqual(picture)
    expect((await sharp(await pictureOf("b1", withOthers)).metadata()).width).toBe(64)
  })

  test("a file that waits to be imported is imported by the new cell", async () => {
    await target.query("UPDATE imports SET due_at = now() - interval '1 second' WHERE project_id = $1", [own.projectId])
    const read = () => ask("b1", "GET", `/v1/projects/${own.project}/contact-imports/${importId}`, { key: own.apiKey })
    await expect.poll(async () => (await read()).json).toMatchObject({ status: "completed", created: 2 })
  })

  test("an email that was scheduled there goes out with its attachment", () => {
    const [message = ""] = relay.messages.filter((text) => text.includes("Subject: Scheduled"))
    expect(message).toContain(Buffer.from("an attachment").toString("base64"))
  })
})

test("what the organization left behind is removed on request, but for the keys, which lead to the new cell; nobody else loses a row", async () => {
  const untouched = await contentOf(other.projectId)
  expect(Object.keys(untouched)).toEqual(expect.arrayContaining(["emails", "events", "contacts", "domains"]))
  const audit = await pool().query("SELECT id FROM audit_entries WHERE organization_id = $1", [own.organizationId])
  await expect(forget(other)).rejects.toMatchObject({ code: "organization.not_moved" })
  expect(await forget(own)).toMatchObject({ forgotten: true })
  expect(await forget(own), "done again, it changes nothing").toMatchObject({ forgotten: true })

  for (const { projectId } of [own, slow])
    expect(Object.keys(await contentOf(projectId)).filter((table) => removed.has(table))).toEqual([])
  expect(await contentOf(other.projectId)).toEqual(untouched)
  const kept = await pool().query("SELECT id FROM audit_entries WHERE organization_id = $1", [own.organizationId])
  expect(kept.rows).toEqual(expect.arrayContaining(audit.rows))
  expect((await verifyAuditLog()).faults).toEqual([])

  const late = await ask("a1", "GET", eventsOf(own), { key: own.apiKey })
  expect({ status: late.status, cell: late.headers.get("mailroom-cell") }).toEqual({ status: 421, cell: "b1" })
  expect((await ask("b1", "GET", eventsOf(own), { key: own.apiKey })).status).toBe(200)
  expect((await ask("a1", "GET", eventsOf(other), { key: other.apiKey })).status).toBe(200)

  const stored = async () => {
    const found: string[] = []
    for await (const { key } of (await storage()).list(pictureFolder)) found.push(key)
    return found
  }
  expect(await stored()).toContainEqual(expect.stringContaining(own.projectId))
  await sweepPictures(new Date(Date.now() + 2 * hourMs), new AbortController().signal)
  expect(await stored()).toEqual([expect.stringContaining(other.projectId)])
  expect(await pictureOf("b1", withPicture)).toEqual(picture)
})

test("it comes back while a file of its is imported: until it has arrived requests go on to be led to the new cell, and each row is imported once", async () => {
  // The first command at a cell notes the key there.
  expect(await moveAt("a1", "--forget", "yes")).toMatchObject({ forgotten: true })
  probes.length = 0
  const rows = Array.from({ length: importedRows }, (_, n) => `r${n}@returning.example\n`)
  const uploaded = await fetch(`${addresses.b1}/v1/projects/${own.project}/contacts/import`, {
    method: "POST",
    headers: { authorization: `Bearer ${own.apiKey}`, "content-type": "text/csv" },
    body: `email\n${rows.join("")}`,
  })
  const { id } = await uploaded.json()
  const ended = new AbortController()
  const loads = (["a1", "b1"] as const).map((cell) => during(ended.signal, 200, () => probe(cell)))
  const [key = ""] = keys
  const read = () => served("GET", `/v1/projects/${own.project}/contact-imports/${id}`, { key })
  await expect.poll(async () => (await read()).json.processed, { interval: 250 }).toBeGreaterThan(0)
  const moved = await moveAt("b1", "--to", here, "--cell", "a1", "--address", addresses.a1, "--files", dataDir)
  await wait(1_500)
  ended.abort()
  await Promise.all(loads)

  expect(moved).toMatchObject({ moved: true, cell: "a1" })
  expect(moved.heldSeconds).toBeLessThan(10)
  expect(steps("a1")).toEqual([421, 200])
  expect(steps("b1")).toEqual([200, 503, 421])
  await expect
    .poll(async () => (await read()).json, { timeout: 30_000, interval: 500 })
    .toMatchObject({ status: "completed", created: importedRows, updated: 0 })
  expect((await sharp(await pictureOf("a1", withOthers)).metadata()).width).toBe(64)
  const { rows: contacts } = await pool().query(
    "SELECT email FROM contacts WHERE project_id = $1 AND email LIKE 'r%'",
    [own.projectId],
  )
  expect(contacts).toHaveLength(importedRows)
}, 180_000)

// The story

/** What is there before: an organization of two projects with limits, contacts with pictures, a file to import, a scheduled email. */
async function prepare() {
  own = await newSending()
  slow = await newSending()
  other = await newSending()
  await pool().query("UPDATE projects SET organization_id = $2 WHERE id = $1", [slow.projectId, own.organizationId])
  await pool().query("UPDATE organizations SET daily_sends = $2 WHERE id = $1", [own.organizationId, daily])
  await pool().query(
    "UPDATE projects SET per_second_sends = CASE WHEN id = $1 THEN 1 ELSE 10000 END WHERE id = ANY ($2)",
    [slow.projectId, [own.projectId, slow.projectId]],
  )
  await pool().query("UPDATE send_allowances SET tokens = $2, refilled_at = now() WHERE project_id = $1", [
    slow.projectId,
    burst,
  ])
  slowFrom = performance.now()
  const added = await Promise.all(Array.from({ length: 3 }, () => newKey(own.projectId)))
  keys = added.map(({ apiKey }) => apiKey)
  spent = (await newKey(own.projectId)).apiKey
  withPicture = await newContact(own, "ada")
  withOthers = await newContact(own, "grace")
  const { json } = await createImporting(own).upload("email\nmary@lovelace.example\njoan@hopper.example\n")
  importId = json.id
  await pool().query("UPDATE imports SET due_at = now() + interval '1 hour' WHERE project_id = $1", [own.projectId])
  const attachments = [
    { filename: "a.txt", contentType: "text/plain", content: Buffer.from("an attachment").toString("base64") },
  ]
  const scheduledAt = new Date(Date.now() + hourMs).toISOString()
  const [id = ""] = await sendMail(own, { subject: "Scheduled", attachments, scheduledAt })
  scheduled = id
  await newContact(other, "ada")
  await sendMail(other)
}

/** A contact with a picture. */
async function newContact({ apiKey, project }: Sending, name: string): Promise<string> {
  const at = { key: apiKey, params: { projectId: project } }
  const added = await api("POST /v1/projects/{projectId}/contacts", {
    ...at,
    body: { email: `${name}@lovelace.example` },
  })
  const params = { projectId: project, contactId: added.json.id }
  const answer = await api("POST /v1/projects/{projectId}/contacts/{contactId}/image", {
    ...{ key: apiKey, params, rawBody: await form() },
  })
  expect(answer.status).toBe(200)
  return added.json.id
}

async function form(): Promise<FormData> {
  const shade = { r: Math.floor(Math.random() * 256), g: 90, b: 120 }
  const png = await sharp({ create: { width: 64, height: 64, channels: 3, background: shade } })
    .png()
    .toBuffer()
  const fields = new FormData()
  fields.append("file", new Blob([new Uint8Array(png)]), "me.png")
  return fields
}

/** A project of the new cell with an open stream; answers its key. */
async function newNeighbour(): Promise<World> {
  await use({ DATABASE_URL: there.url, CELL: "b1" })
  const neighbour = await newWorld()
  await use({ DATABASE_URL: here, CELL: "a1" })
  return neighbour
}

async function use(settings: Record<string, string>) {
  await closeDatabase()
  provideEnv(settings)
}

async function start(cell: Cell, url: string, dataDir: string) {
  const process = bundle.start({
    ...{ DATABASE_URL: url, CELL: cell, DATA_DIR: dataDir },
    SMTP_URL: `smtp://127.0.0.1:${relay.port}?tls=none&delivered=accept`,
  })
  processes.push(process)
  const port = () => /listening at (\d+)/.exec(process.output())?.[1]
  await vi.waitFor(() => expect(port()).toBeDefined(), 60_000)
  addresses[cell] = `http://127.0.0.1:${port()}`
}

const organizationOf = ({ organizationId }: Sending) => ["--organization", encodeId("org", organizationId)]

async function admin(...args: string[]): Promise<Record<string, unknown>> {
  const run = await adminCommands["move-organization"]?.(args)
  return (await run?.()) as Record<string, unknown>
}

/** The command on a host of a cell, as its operator runs it. */
function moveAt(cell: Cell, ...args: string[]): Promise<Record<string, unknown>> {
  const [url, files] = cell === "a1" ? [here, dataDir] : [there.url, folder]
  const host = { DATABASE_URL: url, CELL: cell, DATA_DIR: files }
  return runAdmin(host, "move-organization", ...organizationOf(own), ...args)
}

const forget = (sender: Sending) => admin(...organizationOf(sender), "--forget", "yes")

// Callers

type Asked = { key: string; body?: unknown; form?: FormData }
type Answered = { status: number; headers: Headers; json: any } // eslint-disable-line @typescript-eslint/no-explicit-any

async function ask(cell: Cell, method: string, path: string, { key, body, form: fields }: Asked): Promise<Answered> {
  const response = await fetch(addresses[cell] + path, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { "content-type": "application/json" }) },
    body: fields ?? (body === undefined ? null : JSON.stringify(body)),
  })
  return { status: response.status, headers: response.headers, json: await response.json() }
}

/** Through the router, repeated while the answer is 503. */
async function served(method: string, path: string, asked: Asked): Promise<Answered> {
  for (;;) {
    let answer = await ask("a1", method, path, asked)
    if (answer.status === 421) answer = await ask(answer.headers.get("mailroom-cell") as Cell, method, path, asked)
    if (answer.status !== 503) return answer
    await wait(100)
  }
}

const eventsOf = ({ project }: Sending) => `/v1/projects/${project}/events?size=1`
const domainsOf = ({ project }: Sending) => `/v1/projects/${project}/domains`
const contactOf = (id: string) => `/v1/projects/${own.project}/contacts/${id}`

function mailOf(sender: Sending, name: string) {
  const from = `hello@${sender.domain}`
  return { from, to: ["ada@lovelace.example"], subject: name, text: "Hi", idempotencyKey: name }
}

let sends = 0

/** Sends an email; answers the code of a refusal. */
async function send(sender: Sending): Promise<string | undefined> {
  const name = `${sender === slow ? "slow" : "own"} ${++sends}`
  const key = sender === slow ? slow.apiKey : keys[sends % keys.length]
  const { status, json } = await served("POST", "/v1/emails", { key: key ?? "", body: mailOf(sender, name) })
  if (status === 201) accepted.set(name, json.id)
  else refusals.add(json.code)
  return json.code
}

/** An accept that waits for another one of the same day sets messages aside; answers how many are. */
async function setMessagesAside(): Promise<number> {
  const accept = await pool().connect()
  await accept.query("BEGIN")
  await accept.query("SELECT 1 FROM quota_days WHERE organization_id = $1 FOR UPDATE", [own.organizationId])
  const sent = send(own)
  const waits = "SELECT 1 FROM pg_locks WHERE NOT granted AND locktype IN ('transactionid', 'tuple')"
  await vi.waitFor(async () => expect((await pool().query(waits)).rows).not.toEqual([]))
  await accept.query("COMMIT")
  accept.release()
  await sent
  const { rows } = await pool().query(
    "SELECT sum(messages)::int AS n FROM allowance_chunks WHERE organization_id = $1",
    [own.organizationId],
  )
  return rows[0]?.n
}

async function untilRefused(sender: Sending, code: string) {
  while ((await send(sender)) !== code) continue
}

async function upload(contactId: string) {
  const { status } = await served("POST", `${contactOf(contactId)}/image`, { key: own.apiKey, form: await form() })
  expect(status).toBe(200)
}

async function pictureOf(cell: Cell, contactId: string): Promise<Buffer> {
  const { json } = await ask(cell, "GET", contactOf(contactId), { key: own.apiKey })
  const shown = await fetch(addresses[cell] + new URL(json.profileImageUrl).pathname)
  expect({ status: shown.status, type: shown.headers.get("content-type") }).toEqual({ status: 200, type: "image/webp" })
  return Buffer.from(await shown.arrayBuffer())
}

async function probe(cell: Cell) {
  const from = performance.now()
  const { status, headers } = await ask(cell, "GET", eventsOf(own), { key: own.apiKey })
  probes.push({ cell, status, named: headers.get("mailroom-cell"), from, until: performance.now() })
}

const probesOf = (cell: Cell) => probes.filter((one) => one.cell === cell)

/** What a cell answered, one after the other, without repetitions. */
function steps(cell: Cell): number[] {
  const statuses = probesOf(cell).map(({ status }) => status)
  return statuses.filter((status, at) => status !== statuses[at - 1])
}

/** Reads the events of the project as a program does: after each end of the stream behind the last event that it has seen. */
async function follow(signal: AbortSignal) {
  while (!signal.aborted) {
    const { json } = await served("POST", `/v1/emails/${own.project}/stream/token`, { key: own.apiKey })
    const [cell = ""] = json.token.split(".")
    await readStream(cell as Cell, json.token, { after: seen.at(-1), signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
  }
}

type Reading = { after: string | undefined; signal: AbortSignal }

async function readStream(cell: Cell, token: string, { after, signal }: Reading) {
  const query = new URLSearchParams({ token, ...(after !== undefined && { after }) })
  const response = await fetch(`${addresses[cell]}/v1/emails/stream?${query}`, { signal })
  expect(response.status).toBe(200)
  opened.push(cell)
  const parser = createParser({ onEvent: ({ data }) => void seen.push(JSON.parse(data).id) })
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) parser.feed(decoder.decode(chunk, { stream: true }))
}

async function atOnce(callers: number, work: () => Promise<unknown>) {
  await Promise.all(Array.from({ length: callers }, work))
}

async function during(signal: AbortSignal, everyMs: number, work: () => Promise<unknown>) {
  for (; !signal.aborted; await wait(everyMs)) await work()
}

// What the databases have

/** The events of the project that a stream carries, in the order of the new cell. */
async function streamed(): Promise<string[]> {
  const { rows } = await target.query(
    "SELECT id FROM events WHERE project_id = $1 AND seq IS NOT NULL AND email_id IS NOT NULL AND type = ANY ($2) ORDER BY seq",
    [own.projectId, streamedTypes],
  )
  return rows.map(({ id }) => encodeId("evt", id))
}

/** What waits at the new cell: deliveries, and events for their numbers. */
async function waiting(): Promise<number> {
  const { rows } = await target.query(
    `SELECT (SELECT count(*) FROM deliveries WHERE project_id = ANY ($1) AND due_at IS NOT NULL)::int
      + (SELECT count(*) FROM events WHERE project_id = ANY ($1) AND seq IS NULL)::int AS n`,
    [[own.projectId, slow.projectId]],
  )
  return rows[0]?.n
}

/** Tables of which a project that is removed leaves nothing, but for its keys. */
const removed = new Set(removalSteps.map(({ table }) => table).filter((table) => table !== "api_keys"))

/** All rows of a project at the old cell, by table. */
async function contentOf(projectId: string): Promise<Record<string, string[]>> {
  const { rows: tables } = await pool().query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'project_id'
      WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace`,
  )
  const found: Record<string, string[]> = {}
  for (const { name } of tables) {
    const { rows } = await pool().query(`SELECT t::text AS row FROM ${name} t WHERE project_id = $1 ORDER BY 1`, [
      projectId,
    ])
    if (rows.length > 0) found[name] = rows.map(({ row }) => row)
  }
  return found
}
