import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest"
import { findOutages } from "@/lib/delivery/regions/data"
import type { Relays } from "@/lib/delivery/regions/relays"
import { createSmtpPool } from "@/lib/delivery/smtp/client"
import { faultServer, type Faults, type FaultServer } from "@/e2e/support/delivery/fault-server"
import {
  attemptRows,
  deliverDue,
  deliveryRows,
  emailRow,
  eventTypes,
  newSending,
  probeNow,
  relayAt,
  sendMail,
  suppressedAddresses,
  type Sending,
} from "@/e2e/support/delivery/sending"
import { pool } from "@/lib/platform/database/db"
import { env } from "@/lib/platform/env/env"
import { log } from "@/lib/platform/log"
import { regionSettings } from "@/lib/regions/settings"

// Before MAIL FROM every failure is the region's: no email pays for it.

let sender: Sending
let server: FaultServer
let relays: Relays

beforeAll(async () => {
  sender = await newSending()
})

beforeEach(() => {
  vi.spyOn(log, "error").mockReturnValue()
})

afterEach(async () => {
  vi.restoreAllMocks()
  await relays.close()
  await server.close()
  await pool().query("DELETE FROM region_outages")
  await pool().query("UPDATE deliveries SET due_at = NULL")
})

async function relay(faults: Faults = {}, parameters?: string) {
  server = await faultServer(faults)
  relays = relayAt(server.port, parameters)
}

async function relayIsBack() {
  await relays.close()
  await server.close()
  await relay()
  await probeNow(relays)
}

const users = "250-fault.test\r\n250 AUTH PLAIN"

describe("a relay that lets no mail in", () => {
  test.each<[string, string, Faults, string?]>([
    ["hangs up at the greeting", "greeting", { GREETING: (socket) => void socket.destroy() }],
    ["is too busy at the greeting", "greeting", { GREETING: "421 4.3.2 too busy" }],
    ["refuses us at the greeting", "greeting", { GREETING: "554 5.7.1 not you" }],
    ["refuses EHLO for now", "ehlo", { EHLO: "451 4.7.1 later" }],
    ["refuses EHLO", "ehlo", { EHLO: "550 5.7.1 bad name" }],
    ["does not offer STARTTLS", "starttls", {}, "tls=required"],
    [
      "refuses STARTTLS for now",
      "starttls",
      { EHLO: "250-f\r\n250 STARTTLS", STARTTLS: "454 4.7.0 later" },
      "tls=required",
    ],
    ["refuses our password", "auth", { EHLO: users, AUTH: "535 5.7.8 no" }, "user"],
    ["cannot check our password now", "auth", { EHLO: users, AUTH: "454 4.7.0 later" }, "user"],
    ["demands a password only at MAIL", "mail", { MAIL: "530 5.7.0 authentication required" }],
  ])(
    "%s: its mail waits, no attempt is counted, and it leaves when the relay is back",
    async (_, phase, faults, kind) => {
      server = await faultServer(faults)
      relays = relayTo(server.port, kind)
      const ids = (await sendMail(sender, { to: ["r1@x.example", "r2@x.example"] })).sort()
      const before = await dueTimes(ids)
      await deliverDue(relays)
      for (const id of ids) {
        expect(await emailRow(id)).toMatchObject({
          status: "sending",
          reason: expect.stringMatching(/^region_/),
        })
        expect(await deliveryRows(id)).toMatchObject([{ attempt_count: 0, unfinished: 0, bounce_type: null }])
        expect(await eventTypes(id)).toEqual(["queued"])
      }
      expect(await suppressedAddresses(sender)).toEqual([])
      expect(await findOutages()).toMatchObject([{ route: "eu-west-1", phase, probedAt: null }])
      expect(log.error).toHaveBeenCalledTimes(1)
      const attempts = (await Promise.all(ids.map(attemptRows))).flat()
      expect(attempts.length).toBeGreaterThan(0)
      for (const attempt of attempts) expect(attempt).toMatchObject({ outcome: "region_fault", phase })

      const connections = server.connections()
      await deliverDue(relays)
      expect(server.connections()).toBe(connections)
      await probeNow(relays)
      expect(server.connections()).toBe(connections + 1)
      expect(await findOutages()).toMatchObject([{ phase, probedAt: expect.any(Date) }])
      expect((await dueTimes(ids)).every((at, place) => at - (before[place] ?? 0) < 5_000)).toBe(true)

      await relayIsBack()
      expect(await findOutages()).toEqual([])
      await deliverDue(relays)
      for (const id of ids) expect(await emailRow(id)).toMatchObject({ status: "delivered", reason: null })
      expect(server.messages).toHaveLength(2)
    },
  )

  test("and does not answer at all is found out once for all that wait, not one after the other", async () => {
    await relay({ GREETING: "" }, "delivered=accept&connections=2")
    impatient(relays)
    const ids = await sendMail(sender, { to: Array.from({ length: 20 }, (_, at) => `s${at}@x.example`) })
    const startedAt = performance.now()
    await deliverDue(relays)
    expect(performance.now() - startedAt).toBeLessThan(5_000)
    expect(server.connections()).toBeLessThanOrEqual(2)
    const attempts = (await Promise.all(ids.map(deliveryRows))).flat().map((row) => row.attempt_count)
    expect(attempts).toEqual(Array(20).fill(0))
  })

  test("leaves an attempt a minute at the email that waits longest", async () => {
    await relay({ GREETING: "554 5.7.1 not you" })
    const [id = ""] = await sendMail(sender)
    await deliverDue(relays)
    await probeNow(relays)
    expect(await attemptRows(id)).toHaveLength(1)
    await pool().query("UPDATE region_outages SET noted_at = now() - interval '61 seconds'")
    await probeNow(relays)
    await probeNow(relays)
    const attempts = await attemptRows(id)
    expect(attempts.map(({ attempt }) => attempt)).toEqual([1, 2])
    expect(attempts[1]).toMatchObject({
      outcome: "region_fault",
      conversation: expect.stringContaining("S: 554 5.7.1 not you"),
    })
    expect(await deliveryRows(id)).toMatchObject([{ attempt_count: 0 }])
  })

  test("does not keep an email beyond its deadline, which counts from its acceptance", async () => {
    await relay({ GREETING: "554 5.7.1 not you" })
    const [old = ""] = await sendMail(sender)
    const [hasty = ""] = await sendMail(sender, { giveUpAfterSeconds: 60 })
    const [fresh = ""] = await sendMail(sender)
    await deliverDue(relays)
    await age(old, "72 hours")
    await age(hasty, "61 seconds")
    await deliverDue(relays)
    for (const id of [old, hasty]) expect(await emailRow(id)).toMatchObject({ status: "failed", reason: "deadline" })
    expect(await emailRow(fresh)).toMatchObject({ status: "sending" })
  })

  test("holds up no mail for the simulator, and none of another region", async () => {
    await relay({ GREETING: "554 5.7.1 not you" })
    const sandbox = await faultServer({})
    Object.assign(regionSettings(), { sandboxSmtpPort: sandbox.port })
    const [held = ""] = await sendMail(sender)
    const [likewise = ""] = await sendMail(sender, { to: ["ada@simulator.elsewhere.example"] })
    await deliverDue(relays)
    const [simulated = ""] = await sendMail(sender, { to: [`delivered@simulator.${env().serviceDomain}`] })
    await deliverDue(relays)
    expect(await emailRow(held)).toMatchObject({ status: "sending" })
    expect(await emailRow(likewise)).toMatchObject({ status: "sending" })
    expect(await emailRow(simulated)).toMatchObject({ status: "delivered" })
    await sandbox.close()
  })
})

test("a relay that lets in fewer connections than we open is not down: those that are open carry all mail", async () => {
  let open = 0
  await relay({
    GREETING: (socket) => {
      open += 1
      socket.on("close", () => (open -= 1))
      return open > 2 ? void socket.end("421 4.7.0 too many connections\r\n") : "220 fault.test ESMTP"
    },
  })
  const ids = await sendMail(sender, { to: Array.from({ length: 30 }, (_, at) => `c${at}@x.example`) })
  await deliverDue(relays)
  for (const id of ids) expect(await emailRow(id)).toMatchObject({ status: "delivered" })
  expect(await findOutages()).toEqual([])
})

test("a single 421 about connections is waited for: no outage, and nothing is charged", async () => {
  await relay({
    GREETING: (_, count) => (count === 1 ? "421 4.7.0 too many concurrent connections" : "220 fault.test ESMTP"),
  })
  const ids = await sendMail(sender, { to: Array.from({ length: 5 }, (_, at) => `busy${at}@x.example`) })
  await deliverDue(relays)
  for (const id of ids) expect(await emailRow(id)).toMatchObject({ status: "delivered" })
  for (const id of ids) expect(await deliveryRows(id)).toMatchObject([{ attempt_count: 1 }])
  expect(await findOutages()).toEqual([])
  // The limit is one connection now.
  expect(server.connections()).toBeLessThanOrEqual(6)
})

test("a relay that says so again, and serves no connection of ours, is down", async () => {
  await relay({ GREETING: "421 4.7.0 too many connections from your host" })
  const ids = await sendMail(sender, { to: ["full@x.example"] })
  await deliverDue(relays)
  expect(await findOutages()).toMatchObject([{ route: "eu-west-1", refusing: null }])
  expect(await deliveryRows(ids[0] ?? "")).toMatchObject([{ attempt_count: 0 }])
})

function relayTo(port: number, kind = "tls=none"): Relays {
  if (kind !== "user") return relayAt(port, `delivered=accept&${kind}`)
  const made = relayAt(port)
  Object.assign(relayProfile().smtp, { user: "u", password: "p" })
  return made
}

/** Connections of this region wait for half a second only. */
function impatient(of: Relays) {
  const found = of.for("eu-west-1", "any@x.example")
  const { smtp, ehloName } = relayProfile()
  Object.assign(found, { transport: createSmtpPool(smtp, { ehloName, greetingTimeoutMs: 500 }) })
}

function relayProfile() {
  const profile = regionSettings().profiles["eu-west-1"]
  if (profile.transport !== "smtp") throw new Error("The region has no relay.")
  return profile
}

async function dueTimes(ids: readonly string[]): Promise<number[]> {
  const { rows } = await pool().query<{ due_at: Date }>(
    "SELECT due_at FROM deliveries WHERE email_id = ANY ($1) ORDER BY id",
    [ids],
  )
  return rows.map(({ due_at }) => due_at.getTime())
}

async function age(emailId: string, by: string) {
  await pool().query("UPDATE emails SET created_at = created_at - $2::interval WHERE id = $1", [emailId, by])
}
