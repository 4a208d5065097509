import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as wait } from "node:timers/promises"
import pg from "pg"
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest"
import { startCellServer } from "@/e2e/support/cell-server"
import { buildWorker, type WorkerProcess } from "@/e2e/support/chaos/worker-process"
import { freshDatabase, type TestDatabase } from "@/e2e/support/database"
import { freePort } from "@/e2e/support/free-port"
import { measured } from "@/e2e/support/measured"
import { newMember, newWorld, type World } from "@/e2e/support/world"
import { CellsSilent, systemEmailOf } from "@/lib/access/system-mail/messages"
import { askAccount, askMailFrom, cellsPath, questionHeaders } from "@/lib/platform/cells/questions"
import { closeDatabase, pool } from "@/lib/platform/database/db"
import { env, provideEnv } from "@/lib/platform/env/env"
import { systemIo } from "@/lib/regions/io"
import type { WebServer } from "@/lib/server/web/web-server"

/** A cell as the tests see it: its address, and worlds in its database. */
type CellAt = { address: string; worlds: World[] }

const rounds = 5
const here = env().databaseUrl
let there: TestDatabase
let thereClient: pg.Client
let eu: CellAt
let us: CellAt
let server: WebServer
let child: WorkerProcess
let built: Awaited<ReturnType<typeof buildWorker>>

beforeAll(async () => {
  there = await freshDatabase(`cell_${randomUUID().slice(0, 8)}`)
  const [port, portThere] = [await freePort(), await freePort()]
  const [address, addressThere] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${portThere}`]
  const cells = `eu1=${address} us1=${addressThere}`
  provideEnv({ DATABASE_URL: there.url })
  us = { address: addressThere, worlds: [await newWorld(), await newWorld()] }
  await closeDatabase()
  provideEnv({ DATABASE_URL: here, CELL: "eu1", CELLS: cells, BASE_URL: address })
  eu = { address, worlds: [await newWorld(), await newWorld()] }
  server = await startCellServer(port)
  built = await buildWorker("cell-worker")
  child = built.start({
    ...{ DATABASE_URL: there.url, CELL: "us1", CELLS: cells, BASE_URL: addressThere, PORT: String(portThere) },
    SECRET_KEY: env().secretKey.toString("base64"),
  })
  await vi.waitUntil(() => child.output().includes("started"), { timeout: 60_000 })
  thereClient = new pg.Client({ connectionString: there.url })
  await thereClient.connect()
})
afterAll(async () => {
  await server?.drain(0)
  await child?.end("SIGKILL")
  built?.remove()
  await thereClient?.end()
  await there?.drop()
})
afterEach(async () => {
  await thereClient.query("DELETE FROM places")
  await thereClient.query("DELETE FROM rate_windows")
  await pool().query("DELETE FROM rate_windows")
})

type Answered = { status: number; retryAfter: string | null; json: Record<string, string> }

async function send(method: string, { address }: CellAt, { apiKey, project }: World, path: string, body: unknown) {
  const response = await fetch(`${address}/v1/projects/${project}/domains${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  })
  const json = (await response.json()) as Answered["json"]
  return { status: response.status, retryAfter: response.headers.get("retry-after"), json }
}

const worldOf = ({ worlds }: CellAt, at = 0) => worlds[at % worlds.length] as World
const registerOnce = (cell: CellAt, domain: string, at = 0): Promise<Answered> =>
  send("POST", cell, worldOf(cell, at), "", { domain, region: "eu-west-1" })
const renameOnce = (cell: CellAt, domainId: string | undefined, mailFromDomain: string, at = 0): Promise<Answered> =>
  send("PATCH", cell, worldOf(cell, at), `/${domainId}`, { mailFromDomain })
const register = (...given: Parameters<typeof registerOnce>) => untilAnswered(() => registerOnce(...given))
const rename = (...given: Parameters<typeof renameOnce>) => untilAnswered(() => renameOnce(...given))

/** On a busy machine a cell may take longer than another one waits. */
async function untilAnswered(ask: () => Promise<Answered>): Promise<Answered> {
  for (let again = 0; ; again++) {
    const answered = await ask()
    if (answered.status !== 503 || again === 10) return answered
    await wait(500)
  }
}

async function mailFromDomains(): Promise<string[]> {
  const sql = "SELECT mail_from_domain AS name FROM domains ORDER BY 1"
  const [ours, theirs] = await Promise.all([pool().query<{ name: string }>(sql), thereClient.query(sql)])
  return [...ours.rows, ...theirs.rows].map(({ name }) => name)
}

async function reservations(): Promise<number> {
  const sql = "SELECT count(*)::int AS count FROM places"
  const [ours, theirs] = await Promise.all([pool().query<{ count: number }>(sql), thereClient.query(sql)])
  return (ours.rows[0]?.count ?? 0) + theirs.rows[0].count
}

describe("a MAIL FROM domain belongs to one cell", () => {
  test("a domain that another cell has registered gets the next name, as one of another project does", async () => {
    expect((await register(us, "first.example")).json.mailFromDomain).toBe("send.first.example")
    expect(await register(eu, "first.example")).toMatchObject({
      status: 201,
      json: { mailFromDomain: "bounce.first.example" },
    })
    expect((await register(us, "first.example", 1)).json.mailFromDomain).toBe("mrsend.first.example")
    expect(await reservations()).toBe(0)
  })

  test("a name that another cell has is refused with the problem that it has within one installation", async () => {
    const { json: ours } = await register(eu, "renamed.example")
    const { json: own } = await register(eu, "renamed.example", 1)
    const within = await rename(eu, own.id, "send.renamed.example", 1)
    expect(within).toMatchObject({ status: 409, json: { code: "domain.mail_from_taken" } })
    const { json: theirs } = await register(us, "renamed.example")
    const { code, status, title, detail } = within.json
    expect((await rename(us, theirs.id, "send.renamed.example")).json).toMatchObject({ code, status, title, detail })
    expect((await rename(us, theirs.id, "own.renamed.example")).status).toBe(200)
    expect((await rename(eu, ours.id, "own.renamed.example")).json.code).toBe("domain.mail_from_taken")
    expect((await rename(eu, ours.id, "other.renamed.example")).status).toBe(200)
    expect(await reservations()).toBe(0)
  })

  test("what an organization has left behind in its old cell is free, and what it takes along is not", async () => {
    const { json } = await register(us, "moved.example")
    expect(json.mailFromDomain).toBe("send.moved.example")
    const organization = worldOf(us).organizationId
    const put = (state: string, cell: string) =>
      thereClient.query(
        `INSERT INTO cell_moves (organization_id, state, cell) VALUES ($1, $2, $3)
          ON CONFLICT (organization_id) DO UPDATE SET state = excluded.state, cell = excluded.cell`,
        [organization, state, cell],
      )
    const taken = async () =>
      (await askMailFrom(["send.moved.example"])).answers.flatMap(({ answer }) => answer.used).length
    await put("arriving", "ap1")
    expect(await taken(), "it comes from a third cell").toBe(1)
    await put("arriving", "eu1")
    expect(await taken(), "it works here still").toBe(0)
    await put("arrived", "eu1")
    expect(await taken()).toBe(1)
    await put("left", "ap1")
    expect(await taken()).toBe(0)
    await thereClient.query("DELETE FROM cell_moves")
  })

  test("two cells that register a domain at the same moment never keep one name", async () => {
    for (let round = 0; round < rounds; round++) {
      const domain = `race-${round}.example`
      const answers = await Promise.all([register(eu, domain, round), register(us, domain, round)])
      expect(answers.map(({ status }) => status)).toEqual([201, 201])
    }
    const names = await mailFromDomains()
    expect(names.filter((name) => name.includes("race-"))).toHaveLength(2 * rounds)
    expect(new Set(names).size).toBe(names.length)
    expect(await reservations()).toBe(0)
  }, 120_000)

  test("of two cells that want one name at the same moment, one gets it", async () => {
    const [ours, theirs] = [await register(eu, "wanted.example"), await register(us, "wanted.example")]
    for (let round = 0; round < rounds; round++) {
      const name = `wanted-${round}.wanted.example`
      const answers = await Promise.all([rename(eu, ours.json.id, name), rename(us, theirs.json.id, name)])
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
      expect((await mailFromDomains()).filter((one) => one === name)).toHaveLength(1)
    }
  }, 120_000)

  test("a cell waits for one behind it that gives way, and gives way to one that does not", async () => {
    const { json } = await register(eu, "waits.example")
    await thereClient.query(
      "INSERT INTO places (id, key, expires_at) VALUES (gen_random_uuid(), 'name:asked.waits.example', now() + interval '1 minute')",
    )
    expect((await rename(eu, json.id, "asked.waits.example")).json.code).toBe("domain.mail_from_taken")
    const renaming = rename(eu, json.id, "asked.waits.example")
    await wait(800)
    await thereClient.query("DELETE FROM places")
    expect((await renaming).status).toBe(200)
    await thereClient.query(
      "INSERT INTO places (id, key, expires_at) VALUES (gen_random_uuid(), 'name:left.waits.example', now() - interval '1 second')",
    )
    expect((await rename(eu, json.id, "left.waits.example")).status, "of a process that died").toBe(200)
  })

  test("a reservation that ended while cells were asked stores nothing under its name", async () => {
    const { json } = await register(us, "late.example")
    const before = await mailFromDomains()
    // us1 gets no answer while eu1's database is locked here; its reservation is gone by then.
    const holder = new pg.Client({ connectionString: here })
    await holder.connect()
    await holder.query("BEGIN; LOCK TABLE cell_moves IN ACCESS EXCLUSIVE MODE")
    const renaming = renameOnce(us, json.id, "gone.late.example")
    const reserved = async () =>
      (await thereClient.query("SELECT id FROM places WHERE key = 'name:gone.late.example'")).rows.length
    await expect.poll(reserved, { interval: 20 }).toBe(1)
    await thereClient.query("DELETE FROM places")
    await holder.query("COMMIT")
    await holder.end()
    expect((await renaming).json.code).toBe("domain.mail_from_taken")
    expect(await mailFromDomains()).toEqual(before)
  })

  test(
    "while a cell is silent, a domain is refused with 503 and a time to come again, and nothing is stored",
    measured,
    async () => {
      const { json } = await register(eu, "before.example")
      const before = await mailFromDomains()
      process.kill(child.pid, "SIGSTOP")
      try {
        const startedAt = performance.now()
        const refused = await registerOnce(eu, "silent.example")
        expect(performance.now() - startedAt).toBeLessThan(3_500)
        expect(refused).toMatchObject({ status: 503, retryAfter: "5", json: { code: "service.unavailable" } })
        expect(refused.json.detail).toContain("us1")
        expect((await renameOnce(eu, json.id, "silent.before.example")).status).toBe(503)
      } finally {
        process.kill(child.pid, "SIGCONT")
      }
      expect(await mailFromDomains()).toEqual(before)
      expect((await register(eu, "silent.example")).status, "once it answers").toBe(201)
      expect(await reservations()).toBe(0)
    },
  )
})

describe("a question of another cell", () => {
  const question = (more: object = {}) =>
    JSON.stringify({ kind: "mail-from", names: ["send.asked.example"], from: "us1", to: "eu1", ...more })
  const put = async (body: string, headers: Record<string, string> = questionHeaders(body, new Date())) =>
    (await fetch(eu.address + cellsPath, { method: "POST", headers, body })).status

  test("is answered with its signature, with nothing but what was asked", async () => {
    await register(eu, "asked.example")
    const body = question({ names: ["send.asked.example", "free.asked.example"] })
    const response = await fetch(eu.address + cellsPath, {
      method: "POST",
      headers: questionHeaders(body, new Date()),
      body,
    })
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ used: ["send.asked.example"], reserved: [] })
  })

  test("is not found without one, with a forged one, and with one that is old or of a time to come", async () => {
    const at = (seconds: number) => questionHeaders(question(), new Date(Date.now() + seconds * 1_000))
    expect(await put(question(), at(-25))).toBe(200)
    expect(await put(question(), {})).toBe(404)
    expect(await put(question(), at(-35))).toBe(404)
    expect(await put(question(), at(35))).toBe(404)
    expect(await put(question(), { ...at(-35), "Mailroom-Time": at(0)["Mailroom-Time"] ?? "" })).toBe(404)
    expect(await put(question({ from: "ap1" }), at(0)), "of another body").toBe(404)
    const forged = Buffer.alloc(32, 1).toString("base64url")
    expect(await put(question(), { ...at(0), "Mailroom-Signature": forged })).toBe(404)
  })

  test("is refused when it is for another cell, too large, or of no known kind", async () => {
    expect(await put(question({ to: "us1" }))).toBe(421)
    expect(await put(question({ names: ["x".repeat(9_000)] }))).toBe(404)
    expect(await put(question({ names: Array.from({ length: 9 }, (_, at) => `n${at}.example`) }))).toBe(400)
    expect(await put(question({ kind: "emails" }))).toBe(400)
    expect(await put(question({ more: true }))).toBe(400)
    expect(await put("no JSON")).toBe(400)
  })

  test("about an account says whether somebody can open something there, not somebody whose organization has left", async () => {
    const { rows } = await thereClient.query<{ email: string }>("SELECT email FROM users WHERE id = $1", [
      worldOf(us).userId,
    ])
    const email = rows[0]?.email ?? ""
    const exists = async (address: string) => (await askAccount(address)).answers.map(({ answer }) => answer.exists)
    expect(await exists(email)).toEqual([true])
    expect(await exists("nobody@example.com")).toEqual([false])
    await thereClient.query("INSERT INTO users (id, email) VALUES (gen_random_uuid(), 'left@example.com')")
    expect(await exists("left@example.com")).toEqual([false])
  })
})

describe("the email that says where somebody signs in", () => {
  const mailTo = (to: string, more: { find?: true } = {}) =>
    systemEmailOf({ kind: "sign-in-link", to, ...more }, systemIo())
  const ownerThere = async () =>
    (await thereClient.query("SELECT email FROM users WHERE id = $1", [worldOf(us).userId])).rows[0].email as string
  async function person() {
    const email = `${randomUUID()}@example.com`
    const { userId } = await newMember(worldOf(eu), "viewer")
    await pool().query("UPDATE users SET email = $2 WHERE id = $1", [userId, email])
    return email
  }

  test("lists the cells in which the address has an account, and is written to nobody else", async () => {
    const email = await person()
    expect((await mailTo(email, { find: true }))?.text).toContain(`${eu.address}/sign-in`)
    expect((await mailTo(email, { find: true }))?.text).not.toContain(us.address)
    const { rows } = await thereClient.query(
      "INSERT INTO users (id, email) VALUES (gen_random_uuid(), $1) RETURNING id",
      [email],
    )
    await thereClient.query("INSERT INTO members (organization_id, user_id, role) VALUES ($1, $2, 'viewer')", [
      worldOf(us).organizationId,
      rows[0].id,
    ])
    const both = (await mailTo(email, { find: true }))?.text
    for (const { address } of [eu, us]) expect(both).toContain(`${address}/sign-in`)
    expect(both, "and has no link that signs in").not.toContain("token=")
    expect((await mailTo(await ownerThere(), { find: true }))?.text).toContain(`${us.address}/sign-in`)
    expect(await mailTo("nobody@example.com", { find: true })).toBeNull()
  })

  test("goes to somebody who asks for a sign-in link in a cell without an account of theirs", async () => {
    expect((await mailTo(await person()))?.text).toContain("token=")
    const elsewhere = (await mailTo(await ownerThere()))?.text
    expect(elsewhere).toContain(`${us.address}/sign-in`)
    expect(elsewhere).not.toContain("token=")
    expect(await mailTo("nobody@example.com")).toBeNull()
  })

  test("says which cells could not be asked, and waits for them where nothing is known yet", async () => {
    const email = await person()
    const owner = await ownerThere()
    process.kill(child.pid, "SIGSTOP")
    try {
      expect((await mailTo(email, { find: true }))?.text).toContain(`${us.address}/sign-in too could not be found out`)
      expect((await mailTo(email))?.text, "a link needs no other cell").toContain("token=")
      await expect(mailTo(owner)).rejects.toThrow(CellsSilent)
    } finally {
      process.kill(child.pid, "SIGCONT")
    }
    await expect.poll(async () => (await mailTo(owner))?.text).toContain(us.address)
  })

  test("is as ever without CELLS", async () => {
    const cells = env()
      .peers.map(({ cell, address }) => `${cell}=${address}`)
      .join(" ")
    provideEnv({ CELLS: undefined })
    try {
      expect((await mailTo(await person(), { find: true }))?.text).toContain("token=")
      expect(await mailTo(await ownerThere(), { find: true })).toBeNull()
    } finally {
      provideEnv({ CELLS: cells })
    }
  })
})

describe("a cell that answers oddly counts as silent", () => {
  const asked: string[] = []
  const answers: Record<string, RequestListener> = {
    "a redirect": (_, response) => void response.writeHead(307, { location: "/elsewhere" }).end(),
    "no JSON": (_, response) => void response.end("It works!"),
    "another form": (_, response) => void response.end(JSON.stringify({ used: "all", reserved: [] })),
    "an error": (_, response) => void response.writeHead(500).end(),
    "without end": (_, response) => {
      const write = () =>
        void (response.write("x".repeat(64 * 1024)) ? setImmediate(write) : response.once("drain", write))
      write()
    },
    "bytes one by one": (_, response) => {
      const timer = setInterval(() => response.write(" "), 100)
      response.on("close", () => clearInterval(timer))
    },
    nothing: () => {},
  }

  test.each(Object.entries(answers))("%s", measured, async (_, answer) => {
    const peer = createServer((request, response) => {
      asked.push(request.url ?? "")
      answer(request, response)
    }).listen(0, "127.0.0.1")
    await once(peer, "listening")
    const cells = env().peers
    const odd = { cell: "ap1", address: `http://127.0.0.1:${(peer.address() as AddressInfo).port}` }
    provideEnv({ CELLS: [...cells, odd].map(({ cell, address }) => `${cell}=${address}`).join(" ") })
    try {
      const startedAt = performance.now()
      expect(await askMailFrom(["send.odd.example"])).toEqual({
        answers: [{ peer: cells[0], answer: { used: [], reserved: [] } }],
        silent: [odd],
      })
      expect(performance.now() - startedAt).toBeLessThan(3_000)
      expect(asked.splice(0)).toEqual([cellsPath])
    } finally {
      provideEnv({ CELLS: cells.map(({ cell, address }) => `${cell}=${address}`).join(" ") })
      peer.closeAllConnections()
      peer.close()
    }
  })
})
