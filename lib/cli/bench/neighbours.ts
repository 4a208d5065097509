import { createServer, type AddressInfo } from "node:net"
import { setTimeout as wait } from "node:timers/promises"
import { gzipSync } from "node:zlib"
import { startSink } from "@/lib/cli/bench/delivery"
import { KeyRing } from "@/lib/cli/bench/key-ring"
import { loadAt, quantile, requestOf } from "@/lib/cli/bench/load"
import { message, nextNumber } from "@/lib/cli/bench/messages"
import type { Stage } from "@/lib/cli/bench/stage"
import type { Row } from "@/lib/cli/bench/table"
import { makeWorld, type World } from "@/lib/cli/bench/world"
import { pool } from "@/lib/platform/database/db"
import { encodeId } from "@/lib/platform/ids"

export type NeighboursPlan = { contacts: number; aloneMs: number; besideMs: number }

const perSecond = 8
/** What a neighbour may wait longer than alone. */
const goal = 2
/** Below this a ratio is noise of the machine. */
const floorMs = 25
const settleMs = 2_000

/**
 * One project with ordinary credentials does its worst while a neighbour reads, sends and waits for deliveries at an even
 * pace: the neighbour's p99 beside its p99 alone, measured right before each attack, over two web processes and a worker.
 */
export async function measureNeighbours(
  stage: Stage,
  neighbour: World,
  { contacts, aloneMs, besideMs }: NeighboursPlan,
): Promise<Row[]> {
  const attacker = await makeWorld(600)
  await addContacts(attacker, contacts)
  const silent = await upgradingServer()
  const sink = await startSink()
  const worker = await stage.startWorker(`smtp://127.0.0.1:${sink.port}?tls=none&delivered=accept&connections=10`)
  const rows: Row[] = []
  try {
    await timesOf(stage, neighbour, aloneMs)
    for (const [what, attack] of Object.entries(attacks(attacker, silent.port))) {
      const alone = await timesOf(stage, neighbour, aloneMs)
      const stop = new AbortController()
      const attacking = attack(callerOf(stage.two, attacker, stop.signal)).catch(() => undefined)
      await wait(settleMs)
      const beside = await timesOf(stage, neighbour, besideMs)
      stop.abort()
      await attacking
      await cleanUp(attacker)
      rows.push(rowOf(what, alone, beside))
    }
  } finally {
    await worker.stop()
    await sink.stop()
    silent.close()
  }
  return rows
}

type Times = { reads: number; sends: number; delivery: number }

function rowOf(what: string, alone: Times, beside: Times): Row {
  const kinds = ["reads", "sends", "delivery"] as const
  const worst = Math.max(...kinds.map((kind) => Math.max(beside[kind], floorMs) / Math.max(alone[kind], floorMs)))
  const words = kinds.map((kind) => `${kind} ${alone[kind].toFixed(0)}, ${beside[kind].toFixed(0)}`).join("; ")
  return { what: `neighbour's p99 beside ${what} / alone`, measured: `ms: ${words}`, ratio: worst, goal, atMost: true }
}

/** The neighbour's p99 in milliseconds. */
async function timesOf(stage: Stage, world: World, ms: number): Promise<Times> {
  const ring = new KeyRing(world.keys, 50)
  const since = new Date()
  const p99 = async (ask: () => () => string) => {
    const took: number[] = []
    await loadAt(stage.two, ask, { connections: 32, perSecond, ms }, (tookMs) => took.push(tookMs))
    return quantile(
      took.sort((a, b) => a - b),
      0.99,
    )
  }
  const [reads, sends] = await Promise.all([
    p99(() => {
      const key = ring.connection()
      return () => requestOf("GET", `/v1/projects/${world.project}/emails?size=20`, { key: key() })
    }),
    p99(() => {
      const key = ring.connection()
      return () =>
        requestOf("POST", "/v1/emails", { key: key(), body: JSON.stringify(message(world.domain, nextNumber())) })
    }),
  ])
  return { reads, sends, delivery: await deliveryOf(world, since) }
}

/** From the acceptance of the neighbour's emails to the answer of the next hop; what is not there yet counts as long as it waited. */
async function deliveryOf({ projectId }: World, since: Date): Promise<number> {
  await wait(1_000)
  const { rows } = await pool().query<{ ms: number }>(
    `SELECT (extract(epoch FROM coalesce(sent_at, now()) - created_at) * 1000)::float8 AS ms FROM emails
      WHERE project_id = $1 AND created_at >= $2 AND created_at < now() - interval '1 second' ORDER BY 1`,
    [projectId, since],
  )
  return quantile(
    rows.map(({ ms }) => ms),
    0.99,
  )
}

type Call = (
  method: string,
  path: string,
  body?: BodyInit | object,
  headers?: Record<string, string>,
) => Promise<Response>
type Caller = { call: Call; signal: AbortSignal; lanes(count: number, work: () => Promise<unknown>): Promise<void> }

/** Requests of the attacker, whose refusals are what it must expect. */
function callerOf(port: number, { keys }: World, signal: AbortSignal): Caller {
  let next = 0
  const call: Call = (method, path, body, headers) => {
    const isJson = body !== undefined && typeof body === "object" && body.constructor === Object
    return fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${keys[next++ % keys.length] ?? ""}`,
        ...(isJson || typeof body === "string" ? { "Content-Type": "application/json" } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : (body as BodyInit) }),
      signal,
    })
  }
  const lanes = async (count: number, work: () => Promise<unknown>) => {
    const lane = async () => {
      while (!signal.aborted) {
        await work().catch(() => undefined)
        await wait(5)
      }
    }
    await Promise.all(Array.from({ length: count }, lane))
  }
  return { call, signal, lanes }
}

const drained = async (response: Response) => void (await response.arrayBuffer())
/** Requests at an even pace, whatever becomes of them. */
async function paced({ signal }: Caller, everyMs: number, work: () => Promise<unknown>) {
  const running: Promise<unknown>[] = []
  while (!signal.aborted) {
    running.push(work().catch(() => undefined))
    await wait(everyMs)
  }
  await Promise.all(running)
}

function form(field: string, file: Uint8Array | string, name: string): FormData {
  const data = new FormData()
  data.append(field, new Blob([file as BlobPart]), name)
  return data
}

const amplifying = [
  { type: "rename_field", from: "data", to: "a" },
  ...Array.from({ length: 11 }, (_, at) => {
    return { type: "compute_field", field: `a.f${at}`, template: "\u0001".repeat(2_000) }
  }),
  ...Array.from({ length: 8 }, (_, at) => ({ type: "compute_field", field: `g${at}`, template: "{{a}}".repeat(400) })),
]
const events = ["email.sent", "email.delivered", "email.bounced"]

function attacks(
  { project, domain, domainId }: World,
  silentPort: number,
): Record<string, (by: Caller) => Promise<void>> {
  const ofProject = `/v1/projects/${project}`
  const names = `{"metadata":{${Array.from({ length: 2_200_000 }, (_, at) => `"${at}":1`)}}}`
  const large = "x".repeat(150_000)
  const mail = (to: string[]) => ({ ...message(domain, nextNumber()), html: large, to })
  const many = (count: number) => Array.from({ length: count }, () => `p${nextNumber()}@customers.example`)
  const parts = `Content-Type: multipart/mixed; boundary=a\r\n\r\n${"--a\r\n\r\nx\r\n".repeat(900_000)}`
  const elements = gzipSync(`<feedback>${"<a></a>".repeat(1_400_000)}</feedback>`)
  const links = Array.from({ length: 100 }, (_, at) => `<a href="http://127.0.0.1:${silentPort}/${at}">x</a>`).join("")
  const domainPath = `${ofProject}/domains/${encodeId("dom", domainId)}`
  return {
    "10 exports at once": (by) =>
      by.lanes(10, async () => drained(await by.call("GET", `${ofProject}/contacts/export`))),
    "60 exports that nobody reads": async (by) => {
      const open = await Promise.allSettled(
        Array.from({ length: 60 }, () => by.call("GET", `${ofProject}/contacts/export`)),
      )
      await new Promise((resolve) => by.signal.addEventListener("abort", resolve, { once: true }))
      for (const one of open) if (one.status === "fulfilled") await one.value.body?.cancel().catch(() => undefined)
    },
    "50 lanes of searches of the log": (by) =>
      by.lanes(50, async () => drained(await by.call("GET", `${ofProject}/emails?search=order%20${nextNumber()}`))),
    "4 lanes of bodies of 2,200,000 names": (by) =>
      by.lanes(4, async () => drained(await by.call("POST", "/v1/emails", names))),
    "an import of 100,000 contacts": async (by) => {
      const csv = `email\r\n${Array.from({ length: 100_000 }, (_, at) => `i${at}@imported.example`).join("\r\n")}`
      await drained(await by.call("POST", `${ofProject}/contacts/import`, form("file", csv, "contacts.csv")))
      await new Promise((resolve) => by.signal.addEventListener("abort", resolve, { once: true }))
    },
    "previews of filters of 50 conditions, 60 a minute": (by) =>
      paced(by, 1_000, async () => {
        const conditions = Array.from({ length: 50 }, (_, at) => ({
          field: "email",
          operator: "contains",
          value: `x${at}`,
        }))
        await drained(await by.call("POST", `${ofProject}/segments/preview`, { filter: { any: conditions } }))
      }),
    "300 sends a minute of 150 kB to 50 recipients": (by) =>
      paced(by, 200, async () => drained(await by.call("POST", "/v1/emails", mail(many(50))))),
    "batches of 100 x 150 kB, 30 a minute": (by) =>
      paced(by, 2_000, async () => {
        const items = Array.from({ length: 100 }, () => mail(many(1)))
        await drained(await by.call("POST", "/v1/emails/batch", { items }))
      }),
    "100 streams that read nothing, and 3,000 emails": async (by) => {
      for (let at = 0; at < 100; at++) {
        const { token } = (await (await by.call("POST", `/v1/emails/${project}/stream/token`)).json()) as {
          token: string
        }
        void by.call("GET", `/v1/emails/stream?token=${token}`).catch(() => undefined)
      }
      await by.lanes(1, async () => {
        const items = Array.from({ length: 100 }, () => ({ ...message(domain, nextNumber()), to: many(1) }))
        await drained(await by.call("POST", "/v1/emails/batch", { items }))
        await wait(500)
      })
    },
    "searches of contacts, 200 a minute": (by) =>
      paced(by, 300, async () => drained(await by.call("GET", `${ofProject}/contacts?search=c${nextNumber()}`))),
    "uploads of reports that take long": (by) =>
      by.lanes(4, async () => {
        await drained(await by.call("POST", `${domainPath}/dmarc/reports`, form("files", parts, "a.eml")))
        await drained(await by.call("POST", `${domainPath}/dmarc/reports`, form("files", elements, "a.xml.gz")))
      }),
    "a webhook whose transformations amplify, its previews, and emails for it": async (by) => {
      const url = "https://8.8.8.8/"
      await drained(await by.call("POST", `${ofProject}/webhooks`, { url, events, transformations: amplifying }))
      await by.lanes(4, async () => {
        await drained(await by.call("POST", `${ofProject}/webhooks/preview`, { events, transformations: amplifying }))
        const items = Array.from({ length: 40 }, () => ({ ...message(domain, nextNumber()), to: many(1) }))
        await drained(await by.call("POST", "/v1/emails/batch", { items }))
        await wait(500)
      })
    },
    "link checks and webhooks at a server that answers 101": async (by) => {
      const url = `http://127.0.0.1:${silentPort}/`
      const made = await by.call("POST", `${ofProject}/webhooks`, { url, events })
      const { id } = (await made.json()) as { id?: string }
      await by.lanes(8, async () => {
        await drained(await by.call("POST", "/v1/emails/validate", { html: links }))
        await drained(await by.call("POST", `${ofProject}/webhooks/${id ?? ""}/test`))
      })
    },
  }
}

/** A server that answers every request with a change of protocol, and nothing more. */
async function upgradingServer(): Promise<{ port: number; close(): void }> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined)
    socket.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n")
  })
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", () => resolve()))
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() }
}

async function addContacts({ projectId }: World, count: number) {
  const client = await pool().connect()
  try {
    await client.query("SET statement_timeout = 0")
    await client.query(
      `INSERT INTO contacts (id, project_id, email)
        SELECT gen_random_uuid(), $1, 'c' || n || '@example.com' FROM generate_series(1, $2::int) n`,
      [projectId, count],
    )
    await client.query("VACUUM (ANALYZE) contacts")
  } finally {
    client.release(true)
  }
}

/** What an attack leaves to do would count against the next one. */
async function cleanUp({ projectId }: World) {
  await pool().query("UPDATE webhooks SET disabled_at = now(), disabled_reason = 'paused' WHERE project_id = $1", [
    projectId,
  ])
  await pool().query(
    "UPDATE imports SET status = 'cancelled', due_at = NULL WHERE project_id = $1 AND due_at IS NOT NULL",
    [projectId],
  )
  await pool().query("UPDATE deliveries SET due_at = NULL WHERE project_id = $1 AND due_at IS NOT NULL", [projectId])
  await wait(settleMs)
}
