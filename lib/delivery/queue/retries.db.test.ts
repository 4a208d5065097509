import { afterEach, beforeAll, describe, expect, test, vi } from "vitest"
import { createDeliveryClaim } from "@/lib/delivery/queue/claims/data"
import { createDeliverer, routeTo } from "@/lib/delivery/queue/worker"
import { prepareWork, type Work } from "@/lib/delivery/queue/prepare"
import type { Relays } from "@/lib/delivery/regions/relays"
import {
  attemptRows,
  deliverDue,
  deliveryRows,
  emailRow,
  eventRows,
  eventTypes,
  newSending,
  passWait,
  relayAt,
  sendMail,
  suppressedAddresses,
  type Sending,
} from "@/e2e/support/delivery/sending"
import { faultServer, type Faults, type FaultServer } from "@/e2e/support/delivery/fault-server"
import { pool } from "@/lib/platform/database/db"
import type { Dns, DnsAnswer, DnsMx } from "@/lib/platform/dns/dns"
import { type Random } from "@/lib/platform/io"
import { log } from "@/lib/platform/log"
import { systemIo } from "@/lib/regions/io"

let sender: Sending
let server: FaultServer
let relays: Relays

beforeAll(async () => {
  sender = await newSending()
})

afterEach(async () => {
  vi.restoreAllMocks()
  await relays.close()
  await server.close()
})

async function relay(faults: Faults = {}) {
  server = await faultServer(faults)
  relays = relayAt(server.port)
}

async function anotherRelay(faults: Faults = {}) {
  await relays.close()
  await server.close()
  await relay(faults)
}

const middle: Random = { number: () => 0.5, bytes: () => Buffer.alloc(0) }

describe("a server that defers a mail", () => {
  test("is retried after 1, 5, 15, 60, 120, 240 minutes, then every 4 hours, until 72 hours are over", async () => {
    await relay({ RCPT: "451 4.7.1 greylisted" })
    const [id = ""] = await sendMail(sender, { to: ["slow@x.example"] })
    const waits: number[] = []
    for (;;) {
      await deliverDue(relays, { io: { random: middle } })
      const waited = await passWait(id)
      if (waited === 0) break
      waits.push(Math.round(waited / 60))
    }
    expect(waits.slice(0, 8)).toEqual([1, 5, 15, 60, 120, 240, 240, 240])
    expect(waits.reduce((sum, minutes) => sum + minutes, 0)).toBeLessThanOrEqual(72 * 60)
    expect(waits.reduce((sum, minutes) => sum + minutes, 0)).toBeGreaterThan(68 * 60)
    expect(await emailRow(id)).toMatchObject({ status: "failed", reason: "attempts" })
    expect(await eventTypes(id)).toEqual(["queued", "delivery_delayed", "failed"])
    expect(await deliveryRows(id)).toMatchObject([
      { status: "failed", bounce_type: "soft", due_at: null, attempt_count: waits.length + 1 },
    ])
    expect(new Set((await attemptRows(id)).map(({ outcome }) => outcome))).toEqual(new Set(["deferred"]))
  })

  test("leaves the mail `sending`, and `delivery_delayed` from 20 minutes after its first due time on", async () => {
    await relay({ RCPT: "451 4.7.1 greylisted" })
    const [id = ""] = await sendMail(sender)
    for (const status of ["sending", "sending", "sending", "delivery_delayed", "delivery_delayed"]) {
      await deliverDue(relays, { io: { random: middle } })
      expect(await emailRow(id)).toMatchObject({ status })
      await passWait(id)
    }
    expect((await eventRows(id)).at(-1)).toMatchObject({
      type: "delivery_delayed",
      data: { diagnostic: expect.stringContaining("greylisted") },
    })
    await anotherRelay()
    await deliverDue(relays)
    expect(await emailRow(id)).toMatchObject({ status: "delivered", reason: null })
    const kept = await pool().query("SELECT raw FROM email_bodies WHERE email_id = $1", [id])
    expect(server.messages[0]).toBe(kept.rows[0].raw.toString("latin1"))
  })

  test("for one recipient of three is retried for that one alone", async () => {
    await relay({ RCPT: () => (server.received.at(-1)?.includes("<busy@x.example>") ? "452 4.2.2 busy" : "250 ok") })
    const [id = ""] = await sendMail(sender, { to: ["one@x.example"], cc: ["busy@x.example", "two@x.example"] })
    await deliverDue(relays)
    expect(await emailRow(id)).toMatchObject({ status: "sending" })
    expect(server.messages).toHaveLength(2)
    await anotherRelay()
    await passWait(id)
    await deliverDue(relays)
    expect(server.received.filter((line) => line.startsWith("RCPT"))).toEqual([
      expect.stringContaining("<busy@x.example>"),
    ])
    expect(await emailRow(id)).toMatchObject({ status: "delivered" })
  })

  test("is not retried after the deadline of the request", async () => {
    await relay({ RCPT: "451 4.7.1 greylisted" })
    const [id = ""] = await sendMail(sender, { giveUpAfterSeconds: 60 })
    await pool().query("UPDATE emails SET give_up_after = 30 WHERE id = $1", [id])
    await deliverDue(relays)
    expect(await emailRow(id)).toMatchObject({ status: "failed" })
    expect(await attemptRows(id)).toHaveLength(1)
  })
})

describe("a reply lost after the final dot", () => {
  test("is retried with the same bytes with the policy `resend`", async () => {
    await relay({ DOT: (socket, count) => (count === 1 ? void socket.destroy() : "250 2.0.0 ok") })
    const [id = ""] = await sendMail(sender)
    await deliverDue(relays)
    expect(await emailRow(id)).toMatchObject({ status: "sending" })
    await passWait(id)
    await deliverDue(relays)
    expect((await attemptRows(id)).map(({ outcome }) => outcome)).toEqual(["ambiguous", "accepted"])
    expect(server.messages[0]).toBe(server.messages[1])
    expect(await eventTypes(id)).toEqual(["queued", "sent", "delivered"])
  })

  test("ends as indeterminate, with no second copy, with the policy `hold`", async () => {
    await relay({ DOT: (socket) => void socket.destroy() })
    const holding = await holdingProject()
    const [id = ""] = await sendMail(holding)
    await deliverDue(relays)
    await deliverDue(relays)
    expect(await emailRow(id)).toMatchObject({ status: "indeterminate", reason: "indeterminate" })
    expect(await eventTypes(id)).toEqual(["queued", "indeterminate"])
    expect(server.messages).toHaveLength(1)
  })

  test("is treated like a worker that died during the attempt", async () => {
    await relay()
    const [resent = ""] = await sendMail(sender)
    const [held = ""] = await sendMail(await holdingProject())
    for (const id of [resent, held]) {
      await pool().query(
        "UPDATE deliveries SET status = 'sending', attempt = 1, unfinished = 1, data_attempt = $2 WHERE email_id = $1",
        [id, id === held ? 1 : null],
      )
      await pool().query("UPDATE email_bodies SET raw = 'Subject: kept\r\n\r\n' WHERE email_id = $1", [id])
    }
    await deliverDue(relays)
    expect(await emailRow(resent)).toMatchObject({ status: "delivered" })
    expect((await attemptRows(resent)).map(({ outcome }) => outcome)).toEqual(["lost", "accepted"])
    expect(await emailRow(held)).toMatchObject({ status: "indeterminate" })
    expect(server.messages).toHaveLength(1)
  })
})

test.each([
  ["small", "Hi"],
  ["large", "large ".repeat(20_000)],
])(
  "a %s message that is held is sent as long as none of its data left, however many workers had it and ended",
  async (_, text) => {
    await relay()
    const [id = ""] = await sendMail(await holdingProject(), { text })
    await pool().query("UPDATE deliveries SET status = 'sending', attempt = 3, unfinished = 3 WHERE email_id = $1", [
      id,
    ])
    await pool().query(
      "UPDATE email_bodies SET raw = 'Subject: kept\r\n\r\n', composed_at = now() WHERE email_id = $1",
      [id],
    )
    await deliverDue(relays)
    expect(await emailRow(id)).toMatchObject({ status: "delivered" })
    expect((await attemptRows(id)).map(({ outcome }) => outcome)).toEqual(["accepted"])
  },
)

describe("a worker that lost its lease", () => {
  test.each(["before the newer one has finished", "after it"])("changes nothing, %s", async (when) => {
    const refusing = await faultServer({ RCPT: "550 5.1.1 no such user" })
    const zombieRelays = relayAt(refusing.port)
    zombieRelays.for("eu-west-1", "any@x.example")
    await relay()
    const [id = ""] = await sendMail(sender, { to: ["twice@x.example"] })
    const old = await claimOne()
    await pool().query("UPDATE deliveries SET due_at = now() - interval '1 second' WHERE email_id = $1", [id])
    const young = await claimOne()
    const steps = [() => deliver(zombieRelays, old), () => deliver(relays, young)]
    for (const step of when === "after it" ? steps.toReversed() : steps) await step()

    expect(await emailRow(id)).toMatchObject({ status: "delivered", reason: null })
    expect(await deliveryRows(id)).toMatchObject([{ status: "delivered", attempt: 2, bounce_type: null }])
    expect(await eventTypes(id)).toEqual(["queued", "sent", "delivered"])
    expect(await suppressedAddresses(sender)).toEqual([])
    await zombieRelays.close()
    await refusing.close()
  })
})

test("messages that cannot be composed end with a reason after three attempts and hold up no others", async () => {
  const complaints = vi.spyOn(log, "error").mockReturnValue()
  await relay()
  const bad = await sendMail(sender, { to: Array.from({ length: 20 }, (_, at) => `bad${at}@x.example`) })
  await pool().query("UPDATE emails SET from_header = 'no address' WHERE id = ANY ($1)", [bad])
  const good = await sendMail(sender, { to: Array.from({ length: 20 }, (_, at) => `good${at}@x.example`) })
  await deliverDue(relays)
  for (const id of good) expect(await emailRow(id)).toMatchObject({ status: "delivered" })
  for (let round = 0; round < 2; round += 1) {
    for (const id of bad) {
      expect(await emailRow(id)).toMatchObject({ status: "sending" })
      await passWait(id)
    }
    await deliverDue(relays)
  }
  for (const id of bad) expect(await emailRow(id)).toMatchObject({ status: "failed", reason: "unprepared" })
  expect(complaints).toHaveBeenCalledTimes(60)
})

test("a delivery that crashed the worker ten times in a row is given up", async () => {
  await relay()
  const [id = ""] = await sendMail(sender)
  await pool().query("UPDATE deliveries SET unfinished = 10 WHERE email_id = $1", [id])
  await deliverDue(relays)
  expect(await emailRow(id)).toMatchObject({ status: "failed", reason: "crashed", reason_facts: { claims: 10 } })
  expect(server.connections()).toBe(0)
})

test("mail of a deleted domain fails with that reason", async () => {
  await relay()
  const leaver = await newSending()
  const [id = ""] = await sendMail(leaver)
  await pool().query("DELETE FROM domains WHERE id = $1", [leaver.domainId])
  await deliverDue(relays)
  expect(await emailRow(id)).toMatchObject({
    status: "failed",
    reason: "domain_deleted",
    reason_facts: { domain: leaver.domain },
  })
})

test("a domain reported to accept no mail suppresses only if our own lookup agrees", async () => {
  await relay({ RCPT: "550 5.1.2 bad destination system" })
  const io = { dns: { mx: (name: string) => Promise.resolve(mxOf(name)) } as unknown as Dns }
  await sendMail(sender, { to: ["a@null-mx.example"] })
  await sendMail(sender, { to: ["a@has-mx.example"] })
  await deliverDue(relays, { io })
  expect(await suppressedAddresses(sender)).toEqual(["a@null-mx.example"])
  expect(await routeTo(io.dns, "nowhere.example")).toBe("none")
  expect(await routeTo(io.dns, "silent.example")).toBe("unknown")
})

function mxOf(name: string): DnsAnswer<DnsMx> {
  const said = { askedServers: [] }
  if (name === "null-mx.example") return { ...said, kind: "found", values: [{ exchange: "", priority: 0 }] }
  if (name === "nowhere.example") return { ...said, kind: "missing", reason: "no-name" }
  if (name === "silent.example") return { ...said, kind: "error", reason: "timeout" }
  return { ...said, kind: "found", values: [{ exchange: "mx.has-mx.example", priority: 10 }] }
}

async function holdingProject(): Promise<Sending> {
  const holding = await newSending()
  await pool().query("UPDATE projects SET ambiguous_policy = 'hold' WHERE id = $1", [holding.projectId])
  return holding
}

async function claimOne(): Promise<Work> {
  const [work] = await prepareWork(await createDeliveryClaim()({ region: "eu-west-1", limit: 1, leaseMs: 60_000 }))
  if (!work) throw new Error("Nothing was due.")
  return work
}

function deliver(through: Relays, work: Work): Promise<void> {
  return createDeliverer({ region: "eu-west-1", relays: through, io: systemIo() })(work, new AbortController().signal)
}
