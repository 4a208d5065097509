import { createServer, type AddressInfo, type Socket } from "node:net"
import tls from "node:tls"
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest"
import { measured } from "@/e2e/support/measured"
import { size } from "@/e2e/support/chaos/size"
import { api, newWorld, type World } from "@/e2e/support/world"
import { selfSignedCertificate } from "@/e2e/support/delivery/certificate"
import { fetchLogo } from "@/lib/domains/bimi/logo"
import { leadsToUs } from "@/lib/domains/check/check"
import { pool } from "@/lib/platform/database/db"
import type { Dns } from "@/lib/platform/dns/dns"
import { provideEnv } from "@/lib/platform/env/env"
import { deliveriesOf, dispatched, newWebhook } from "@/e2e/support/webhooks/receiver"
import { endAll, receiver, settled, work } from "@/e2e/support/webhooks/working"

// Whatever a server answers, everything that asks it gets its place back: webhooks, checks of links, of tracking hosts, of logos.

type Answer = (socket: Socket) => void

const line =
  (text: string): Answer =>
  (socket) =>
    void socket.write(text.replaceAll("\n", "\r\n"))
const again =
  (text: string, ms: number): Answer =>
  (socket) => {
    const timer = setInterval(() => socket.write(text), ms)
    socket.on("close", () => clearInterval(timer))
  }

/** Known as soon as they come. */
const quick: Record<string, Answer> = {
  "101, and nothing more": line("HTTP/1.1 101 Switching Protocols\nUpgrade: x\nConnection: Upgrade\n\n"),
  "101 without Upgrade": line("HTTP/1.1 101 Switching Protocols\n\n"),
  "101 and the end of the connection": (socket) => socket.end("HTTP/1.1 101 X\r\nUpgrade: x\r\n\r\n"),
  "the end of the connection": (socket) => socket.end(),
  "a connection that is gone": (socket) => socket.destroy(),
  "what is no HTTP": line("220 mail.example.com ESMTP\n"),
}

/** Only the time limit ends them. */
const endless: Record<string, Answer> = {
  nothing: () => undefined,
  "half a header": line("HTTP/1.1 200 OK\nContent-Ty"),
  "103 again and again": again("HTTP/1.1 103 Early Hints\r\n\r\n", 50),
  "a byte a second": again("H", 1_000),
  "a body without end": (socket) => {
    socket.write("HTTP/1.1 200 OK\r\n\r\n")
    again("x", 200)(socket)
  },
}

const answers = process.env.MAILROOM_LONG ? { ...quick, ...endless } : quick
const ends: (() => void)[] = []
const certificate = selfSignedCertificate()
let world: World

beforeAll(() => provideEnv({ ALLOW_PRIVATE_WEBHOOKS: "127.0.0.0/8" }))
beforeEach(async () => {
  world = await newWorld()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await endAll()
  for (const end of ends.splice(0)) end()
})

/** A server that answers each request so; its URL. */
async function odd(answer: Answer): Promise<string> {
  const server = createServer((socket) => void socket.on("error", () => undefined).once("data", () => answer(socket)))
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  ends.push(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** The same at port 443 of localhost, as far as this process's requests go. */
async function oddHttps(answer: Answer): Promise<() => number> {
  let asked = 0
  const server = tls.createServer(certificate, (socket) => {
    socket
      .on("error", () => undefined)
      .once("data", () => {
        asked += 1
        answer(socket)
      })
  })
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  ends.push(() => server.close())
  const { port } = server.address() as AddressInfo
  const connect = tls.connect.bind(tls) as (options: tls.ConnectionOptions) => tls.TLSSocket
  vi.spyOn(tls, "connect").mockImplementation(((given: tls.ConnectionOptions) =>
    connect({ ...given, servername: "localhost", port, ca: certificate.cert })) as never)
  return () => asked
}

const dns = {
  addresses: async () => ({ kind: "found", values: ["127.0.0.1"], askedServers: [] }),
  resolve: async () => ["127.0.0.1"],
} as unknown as Dns

async function checkLinks({ apiKey }: World, links: readonly string[]): Promise<string[]> {
  const html = links.map((url) => `<a href="${url}">x</a>`).join("")
  const { status, json } = await api("POST /v1/emails/validate", { key: apiKey, body: { html } })
  expect(status).toBe(200)
  return json.links.map((link: { status: string }) => link.status)
}

/** Of 101, which once held a place for good, many more. */
const countOf = (name: string) => (name in quick && name.startsWith("101") ? size(8, 1_000) : 6)

test("webhook deliveries give their places back", async () => {
  const odds: string[] = []
  for (const [name, answer] of Object.entries(answers)) {
    const tenant = await newWorld()
    odds.push((await newWebhook(tenant, await odd(answer))).id)
    await dispatched(tenant, countOf(name))
  }
  work({ places: 16 })
  for (const id of odds)
    await vi.waitFor(
      async () => {
        const rows = await deliveriesOf(id)
        expect(rows.filter(({ attempt_count }) => attempt_count === 0)).toEqual([])
      },
      { timeout: 200_000, interval: 50 },
    )
  await pool().query("UPDATE webhook_deliveries SET due_at = NULL")
  const good = await receiver()
  const { id } = await newWebhook(world, good.url)
  await dispatched(world, 12)
  for (const { status } of await settled(id)) expect(status).toBe("success")
  expect(good.received).toHaveLength(12)
}, 300_000)

test("checks of links give their places back", { ...measured, timeout: 300_000 }, async () => {
  const rounds = size(1, 10)
  for (let round = 0; round < rounds; round++) {
    const tenant = await newWorld()
    const urls = await Promise.all(Object.values(answers).map(odd))
    const found = await checkLinks(
      tenant,
      Array.from({ length: 96 }, (_, nth) => `${urls[nth % urls.length]}/${nth}`),
    )
    expect(found).toHaveLength(96)
    expect(found, "links that no server answered").toContain("error")
    const { rows } = await pool().query("SELECT 1 FROM places WHERE key LIKE '%' || $1", [tenant.projectId])
    expect(rows, "places that are taken").toEqual([])
  }
  const good = await receiver()
  const startedAt = performance.now()
  expect(await checkLinks(world, [good.url])).toEqual(["ok"])
  expect(performance.now() - startedAt, "milliseconds of the next check").toBeLessThan(2_000)
})

test("checks of tracking hosts and of logos all end", async () => {
  for (const [name, answer] of Object.entries(answers)) {
    const asked = await oddHttps(answer)
    const count = countOf(name)
    for (let done = 0; done < count; done++) {
      const [leads, logo] = await Promise.all([
        leadsToUs("localhost", dns),
        fetchLogo("https://localhost/logo.svg", dns),
      ])
      expect([leads, logo.ok], name).toEqual([false, false])
    }
    expect(asked(), "requests that reached the server").toBe(2 * count)
    vi.restoreAllMocks()
  }
}, 300_000)
