import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest"
import { type MailLab, startMailLab } from "@/e2e/support/delivery/mail-lab"
import {
  deliverDue,
  deliveryRows,
  emailRow,
  newSending,
  probeNow,
  type Sending,
  sendMail,
  suppressedAddresses,
} from "@/e2e/support/delivery/sending"
import { silentServers, type SilentServers } from "@/e2e/support/delivery/silent-servers"
import { api } from "@/e2e/support/world"
import { createDirectTransport } from "@/lib/delivery/direct/transport"
import { findOutages } from "@/lib/delivery/regions/data"
import { createRelays, type Relays } from "@/lib/delivery/regions/relays"
import { pool } from "@/lib/platform/database/db"
import { env, provideEnv } from "@/lib/platform/env/env"
import { log } from "@/lib/platform/log"
import { regionSettings } from "@/lib/regions/settings"

// What this machine lacks for sending directly is the fault of no email and of no server: the region is down, and says what to do.

let lab: MailLab
let sender: Sending
let relays: Relays

beforeAll(async () => {
  lab = await startMailLab()
  provideEnv(lab.variables)
  sender = await newSending()
})

beforeEach(() => {
  vi.spyOn(log, "error").mockReturnValue()
  relays = newWorker()
})

afterEach(async () => {
  vi.restoreAllMocks()
  await relays.close()
  await pool().query("DELETE FROM region_outages; DELETE FROM route_refusals; DELETE FROM delivery_workers")
})

afterAll(() => lab.close())

test("where port 25 is blocked, the region is down and says so, later mail is charged nothing, and leaves once it is open", async () => {
  const servers = domains("blocked", 21)
  const port = Number(lab.variables.DIRECT_PORT)
  const addresses = servers.map(({ address }) => address)
  let silent: SilentServers | undefined = await silentServers(addresses, port)
  try {
    for (const { domain } of servers) await sendTo(domain)
    await deliverDue(relays)
    expect(await findOutages()).toMatchObject([
      { route: "eu-west-1", fault: { code: "port_blocked", facts: { port, servers: expect.any(Array) } } },
    ])
    expect(await home()).toMatchObject({
      status: "down",
      fault: "port_blocked",
      message: expect.stringMatching(/ask yours to open outgoing TCP port \d+ .* or send through a relay at port 587/),
    })

    // A worker that has met no server yet finds the same, by what is stored.
    const other = newWorker()
    await probeNow(other)
    await probeNow(relays)
    const later = await sendTo(servers[0]?.domain ?? "")
    await deliverDue(relays)
    expect(await findOutages()).toHaveLength(1)
    expect(await deliveryRows(later)).toMatchObject([{ attempt_count: 0, bounce_type: null, ended_at: null }])

    await silent.stop()
    silent = undefined
    for (const address of addresses) await lab.server(address)
    await Promise.all([probeNow(relays), probeNow(other)])
    expect(await findOutages()).toEqual([])
    // One of them holds the queue of its destination, and each finds out for itself that it reaches servers again.
    await expect
      .poll(async () => {
        for (const worker of [other, relays]) {
          await probeNow(worker)
          await deliverDue(worker)
        }
        return (await emailRow(later)).status
      })
      .toBe("delivered")
    expect(await deliveryRows(later)).toMatchObject([{ attempt_count: 1 }])
    await other.close()
  } finally {
    await silent?.stop()
  }
})

test("where every server refuses this machine, nobody is bounced, and all is delivered once it takes mail again", async () => {
  const servers = domains("listed", 41)
  let text = "5.7.1 Service unavailable; Client host [203.0.113.6] blocked using zen.spamhaus.org"
  for (const { address } of servers)
    await lab.server(address, { refuses: () => (text ? { code: 554, text } : undefined) })
  const ids: string[] = []
  for (const { domain } of servers) ids.push(await sendTo(domain))
  await deliverDue(relays)
  await probeNow(relays)
  expect(await home()).toMatchObject({
    status: "down",
    message: expect.stringMatching(
      /^Every mail server has refused this server since .*zen\.spamhaus\.org\. .* 6 emails wait; Mailroom tries one of them every 5 min\.$/,
    ),
  })
  for (const id of ids) expect(await deliveryRows(id)).toMatchObject([{ bounce_type: null, ended_at: null }])
  expect(await suppressedAddresses(sender)).toEqual([])

  text = ""
  await probeNow(relays)
  expect(await findOutages()).toEqual([])
  await deliverDue(relays)
  for (const id of ids) expect(await emailRow(id)).toMatchObject({ status: "delivered" })
})

test("a refusal of what a mail contains bounces, however many servers say the same", async () => {
  const text = "5.7.1 Message rejected as spam by content filter"
  for (const { domain, address } of domains("content", 61)) {
    await lab.server(address, { refuses: () => ({ code: 554, text }) })
    const id = await sendTo(domain)
    await deliverDue(relays)
    expect(await emailRow(id)).toMatchObject({ status: "bounced" })
  }
  expect(await findOutages()).toEqual([])
})

test("a machine without a route is down until it has one", async () => {
  const transport = createDirectTransport({ ...options(), networks: [{ address: "255.255.255.255", prefix: 32 }] })
  lab.domain("routeless.example", [["mx.routeless.example", 10, "255.255.255.255"]])
  const message = Buffer.from("Subject: x\r\n\r\nx\r\n")
  const attempt = await transport.send({ from: "a@b.example", to: "ada@routeless.example", message })
  const fault = { code: "no_route", facts: { server: "255.255.255.255" } } as const
  expect(attempt).toMatchObject({ outcome: "region_fault", fault })
  const { signal } = new AbortController()
  expect(await transport.probe(signal, fault)).toMatchObject({ outcome: "region_fault", fault })
  expect(await transport.probe(signal, { code: "no_route", facts: { server: "127.0.0.2" } })).toBeUndefined()
  await transport.close()
})

test("a machine without the address that it sends from is down until it has it, or the address is removed", async () => {
  let isUsed = true
  const transport = createDirectTransport({ ...options(), sendsFrom: () => Promise.resolve(isUsed) })
  const { signal } = new AbortController()
  const lacks = (source: string) => ({ code: "source_missing", facts: { source } }) as const
  expect(await transport.probe(signal, lacks("192.0.2.77"))).toMatchObject({ outcome: "region_fault" })
  expect(await transport.probe(signal, lacks("127.0.0.1"))).toBeUndefined()
  isUsed = false
  expect(await transport.probe(signal, lacks("192.0.2.77"))).toBeUndefined()
  await transport.close()
})

function newWorker(): Relays {
  return createRelays((profile) => {
    if (profile.transport !== "direct") throw new Error("All regions are direct here.")
    return createDirectTransport({ ...options(), ...profile })
  })
}

function options() {
  const { direct } = regionSettings()
  const { serviceDomain } = env()
  return { ...direct, serviceDomain, ehloName: "out.mailroom.test", maxConnections: 5, connectTimeoutMs: 1_000 }
}

/** Domains with one server each, in a network of its own. */
function domains(name: string, second: number) {
  return Array.from({ length: 6 }, (_, at) => {
    const domain = `${name}-${at}.example`
    const address = `127.${second + at}.0.1`
    lab.domain(domain, [[`mx.${domain}`, 10, address]])
    return { domain, address }
  })
}

async function sendTo(domain: string): Promise<string> {
  const [id = ""] = await sendMail(sender, { to: [`ada@${domain}`] })
  return id
}

/** The state of the sender's region, by the API. */
async function home() {
  const params = { projectId: sender.project }
  return (await api("GET /v1/projects/{projectId}/region", { key: sender.apiKey, params })).json
}
