import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest"
import { deliverDue, emailRow, eventTypes, newSending, relayAt, sendMail } from "@/e2e/support/delivery/sending"
import { faultServer, type Faults, type FaultServer } from "@/e2e/support/delivery/fault-server"
import { bounce } from "@/e2e/support/inbound/returned"
import { address as addressed, connected, mail } from "@/e2e/support/inbound/dialogue"
import { api, newSession, newWorld } from "@/e2e/support/world"
import { adminCommands } from "@/lib/cli/admin-commands"
import { loopTestAddress } from "@/lib/delivery/message/proven-ids"
import { findReturnRoutes, startLoopTest } from "@/lib/delivery/regions/return-route-store"
import type { Relays } from "@/lib/delivery/regions/relays"
import { storeMails, claimMails } from "@/lib/inbound/mails-sql"
import { workOn } from "@/lib/inbound/jobs"
import { sendLoopTests } from "@/lib/inbound/loop-test"
import { openInbound, type Inbound } from "@/lib/inbound/server"
import { hmac } from "@/lib/platform/crypto"
import { closeDatabase, pool } from "@/lib/platform/database/db"
import { firstIdAt, newId } from "@/lib/platform/ids"
import { systemIo } from "@/lib/regions/io"

const region = "eu-west-1"
const host = "feedback.eu-west-1.mailroom.test"
const service = { serviceDomain: "mailroom.test", reportDomain: "dmarc.mailroom.test" }
const withReports: Faults = { EHLO: "250-fault.test\r\n250 DSN" }

let inbound: Inbound
let relay: FaultServer
let relays: Relays

beforeEach(async () => {
  await pool().query("DELETE FROM return_routes")
  inbound = await openInbound({
    port: 0,
    host: "127.0.0.1",
    service,
    store: async (one) => (await storeMails([one]))[0] ?? "late",
    limits: { unknownRecipientsMax: 1_000 },
  })
})
afterEach(async () => {
  await relays.close()
  await relay.close()
  await inbound.close()
})
afterAll(closeDatabase)

async function through(faults: Faults, delivered: string) {
  relay = await faultServer(faults)
  relays = relayAt(relay.port, `delivered=${delivered}`)
}

async function route() {
  return (await findReturnRoutes()).find((one) => one.region === region)
}

/** Starts a test and sends it, as the worker does; the address that the relay got, which is the return path, too. */
async function begin(): Promise<string> {
  await startLoopTest(region)
  expect(await sendLoopTests({ relays, io: systemIo(), signal: new AbortController().signal })).toBe(1)
  const lines = relay.received.map((line) => /^(?:MAIL FROM|RCPT TO):<([^>]*)>/.exec(line)?.[1])
  const [from, to] = lines.filter((address) => address?.startsWith("setup+")).slice(-2)
  expect(from).toBe(to)
  return to ?? ""
}

/** What a relay does with it: it comes to the listener. */
async function comeBack(address: string, from = address, raw = relay.messages.at(-1) ?? ""): Promise<string> {
  const answer = await mail(inbound.port, address, raw, from)
  await Promise.all((await claimMails(10, 60_000)).map(workOn))
  return answer
}

describe("the loop test of a region", () => {
  test("passes once its mail has come through the region's relay to the listener, which is stored with the time", async () => {
    await through({}, "never")
    const address = await begin()
    expect(address).toMatch(new RegExp(`^setup\\+[a-z2-7]{52}@${host.replaceAll(".", "\\.")}$`))
    expect(await route()).toMatchObject({ code: null, sentAt: expect.any(Date), endedAt: null, provedRelay: null })
    expect(await comeBack(address)).toMatch(/^250 /)
    const relayName = `127.0.0.1:${relay.port}`
    expect(await route()).toMatchObject({
      code: "passed",
      returnedAt: expect.any(Date),
      endedAt: expect.any(Date),
      provedRelay: relayName,
    })
    await comeBack(address, address, "Subject: again\r\n\r\n")
    expect(await route()).toMatchObject({ code: "passed" })
  })

  test("is sent once, however many workers look for it", async () => {
    await through({}, "never")
    await startLoopTest(region)
    const options = { relays, io: systemIo(), signal: new AbortController().signal }
    const counts = await Promise.all([1, 2, 3].map(() => sendLoopTests(options)))
    expect(counts.reduce((sum, count) => sum + count)).toBe(1)
    expect(relay.messages).toHaveLength(1)
  })

  test("fails with the reply of a relay that does not take it, or of a server that returns it", async () => {
    await through({ RCPT: "550 5.7.1 relaying denied" }, "never")
    await begin()
    expect(await route()).toMatchObject({
      code: "not_accepted",
      diagnostic: expect.stringContaining("relaying denied"),
    })
    await relays.close()
    await relay.close()
    await through({}, "never")
    const address = await begin()
    const report = { returnPath: address, recipient: address, status: "5.4.4" }
    await comeBack(address, "", bounce({ ...report, diagnostic: "smtp; 554 5.4.4 no route to the feedback host" }))
    expect(await route()).toMatchObject({
      code: "returned",
      diagnostic: expect.stringContaining("no route"),
      provedRelay: null,
    })
  })

  test("is lost after 10 minutes, and takes the proof of the one before with it", async () => {
    await through({}, "never")
    await comeBack(await begin())
    expect(await route()).toMatchObject({ provedRelay: expect.any(String) })
    await begin()
    expect(await route()).toMatchObject({ code: null, provedRelay: expect.any(String) })
    await pool().query(
      "UPDATE return_routes SET started_at = now() - interval '10 minutes', due_at = now() - interval '1 second'",
    )
    await sendLoopTests({ relays, io: systemIo(), signal: new AbortController().signal })
    expect(await route()).toMatchObject({ code: "lost", provedRelay: null })
  })

  test("T119: guessed, changed, foreign and old tokens are refused at RCPT", async () => {
    await through({}, "never")
    const address = await begin()
    const [local = ""] = address.split("@")
    const changed = Array.from({ length: 52 }, (_, at) => {
      const place = "setup+".length + at
      return local.slice(0, place) + (local[place] === "a" ? "b" : "a") + local.slice(place + 1)
    })
    const old = loopTestAddress(firstIdAt(new Date(Date.now() - 601_000)), region, hmac)
    const refused = [
      ...changed.map((one) => `${one}@${host}`),
      `setup+${"a".repeat(52)}@${host}`,
      `setup@${host}`,
      `${local}@feedback.us-east-1.mailroom.test`,
      `${local}@mailroom.test`,
      `${loopTestAddress(newId(), region, () => Buffer.alloc(32))}@${host}`,
      `${old}@${host}`,
    ]
    const guessing = await connected(inbound.port)
    const answers = await addressed(guessing, refused)
    guessing.end()
    expect(answers).toEqual(refused.map(() => "550 5.1.1 No such address here"))
    expect(await mail(inbound.port, address.toUpperCase(), "a: b\r\n\r\n", address)).toMatch(/^250 /)
  })

  test("is started and seen by the operator alone, and is in the audit log", async () => {
    await through({}, "dsn")
    const world = await newWorld()
    await pool().query("UPDATE users SET operator_since = NULL WHERE id = $1", [world.userId])
    const cookie = await newSession(world.userId)
    const start = () => api("POST /v1/operator/loop-tests", { cookie, body: { region } })
    expect((await start()).status).toBe(404)
    expect((await api("GET /v1/operator/regions", { cookie })).status).toBe(404)
    await pool().query("UPDATE users SET operator_since = now() WHERE id = $1", [world.userId])
    const operator = await newSession(world.userId)
    const started = await api("POST /v1/operator/loop-tests", { cookie: operator, body: { region } })
    expect(started.status).toBe(202)
    expect(started.json).toMatchObject({ region, proved: false, reports: "not_proved", delivered: "dsn" })
    const { json } = await api("GET /v1/operator/regions", { cookie: operator })
    expect(json.data.map((one: { region: string }) => one.region)).toContain(region)
    expect(json.data.filter((one: { outage?: unknown }) => one.outage)).toEqual([])
    await pool().query(
      "INSERT INTO region_outages (route, phase, diagnostic, next_probe_at) VALUES ($1, 'connect', 'connect ECONNREFUSED 10.0.0.1:25', now())",
      [region],
    )
    const { json: down } = await api("GET /v1/operator/regions", { cookie: operator })
    await pool().query("DELETE FROM region_outages")
    expect(down.data).toContainEqual(
      expect.objectContaining({ region, outage: { since: expect.any(String), message: expect.any(String) } }),
    )
    const { rows } = await pool().query(
      "SELECT actor_id, changes FROM audit_entries WHERE organization_id = $1 AND action = 'loop_test.started'",
      [world.organizationId],
    )
    expect(rows).toEqual([{ actor_id: world.userId, changes: { region } }])
  })

  test("is run by a command that waits for its end, and exits with its code if it fails", async () => {
    await through({}, "never")
    const command = adminCommands["loop-test"]
    const running = (await command?.(["--region", region]))?.()
    await expect.poll(() => sendLoopTests({ relays, io: systemIo(), signal: new AbortController().signal })).toBe(1)
    await comeBack(/<(setup\+[^>]+)>/.exec(relay.received.join("\n"))?.[1] ?? "")
    expect(await running).toMatchObject({ region, code: "passed", seconds: expect.any(Number) })
  })
})

describe("delivered=dsn", () => {
  test("counts as never until the loop test has passed, through the relay that the region has now", async () => {
    await through(withReports, "dsn")
    const sender = await newSending()
    const [before = ""] = await sendMail(sender)
    await relays.learnReports()
    await deliverDue(relays)
    expect(relay.received.some((line) => line.includes("NOTIFY"))).toBe(false)
    expect(await eventTypes(before)).toEqual(["queued", "sent"])
    const state = () =>
      api("GET /v1/projects/{projectId}/region", { key: sender.apiKey, params: { projectId: sender.project } })
    expect((await state()).json).toMatchObject({ reports: "not_proved" })

    await comeBack(await begin())
    await relays.learnReports()
    const [after = ""] = await sendMail(sender)
    await deliverDue(relays)
    const asked = relay.received.filter((line) => /^RCPT TO:<(?!setup)/.test(line)).at(-1)
    expect(asked).toMatch(/^RCPT TO:<([^>]+)> NOTIFY=SUCCESS,FAILURE,DELAY ORCPT=rfc822;\1$/)
    expect(relay.received.at(-1)).not.toMatch(/NOTIFY=NEVER/)
    expect(await emailRow(after)).toMatchObject({ status: "sent" })
    expect((await state()).json).toMatchObject({ reports: "asked" })

    await pool().query("UPDATE return_routes SET proved_relay = 'other.example:25'")
    expect((await state()).json).toMatchObject({ reports: "not_proved" })
  })

  test("of a relay that offers no reports leaves mail sent for good, and says so by a code", async () => {
    await through({}, "dsn")
    await comeBack(await begin())
    await pool().query("UPDATE return_routes SET offers_reports = NULL")
    await relays.learnReports()
    const sender = await newSending()
    const [id = ""] = await sendMail(sender)
    await deliverDue(relays)
    expect(relay.received.some((line) => line.includes("NOTIFY"))).toBe(false)
    const { rows } = await pool().query(
      "SELECT data->>'deliveryReported' AS reported FROM events WHERE email_id = $1 AND type = 'sent'",
      [id],
    )
    expect(rows).toEqual([{ reported: "false" }])
    await expect.poll(async () => (await route())?.offersReports).toBe(false)
    const { json } = await api("GET /v1/projects/{projectId}/region", {
      key: sender.apiKey,
      params: { projectId: sender.project },
    })
    expect(json).toMatchObject({ reports: "not_offered" })
  })
})
