import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest"
import { findLiveWorkers, findOutages, writeHeartbeat } from "@/lib/delivery/regions/data"
import { createRelays, type Relays } from "@/lib/delivery/regions/relays"
import { faultServer, type Faults, type FaultServer } from "@/e2e/support/delivery/fault-server"
import {
  attemptRows,
  deliverDue,
  deliveryRows,
  emailRow,
  eventRows,
  newSending,
  probeNow,
  relayAt,
  sendMail,
  suppressedAddresses,
  type Sending,
} from "@/e2e/support/delivery/sending"
import { pool } from "@/lib/platform/database/db"
import { log } from "@/lib/platform/log"

// A relay that refuses everybody, and a worker that cannot reach it, cost no recipient and no other worker anything.

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
  await pool().query("DELETE FROM region_outages; DELETE FROM route_refusals; DELETE FROM delivery_workers")
  await pool().query("UPDATE deliveries SET due_at = NULL")
  await pool().query("DELETE FROM suppressions")
})

/** What the server says can be changed while it runs. */
function relayWith(verb: string, first: string) {
  let words = first
  return {
    says: (next: string) => void (words = next),
    open: async (others: Faults = {}) => {
      server = await faultServer({ ...others, [verb]: () => words })
      relays = relayAt(server.port, "delivered=accept&connections=1")
    },
  }
}

const ok = "250 2.0.0 ok"
const to = (count: number, name = "r") => Array.from({ length: count }, (_, at) => `${name}${at}@${name}-${at}.example`)

async function sendEach(addresses: readonly string[]): Promise<string[]> {
  const ids: string[] = []
  for (const one of addresses) ids.push(...(await sendMail(sender, { to: [one] })))
  return ids
}

const statuses = (ids: readonly string[]) => Promise.all(ids.map(async (id) => (await emailRow(id)).status as string))

describe("a relay that refuses everybody", () => {
  test.each([
    ["RCPT", "550 5.7.1 Your account has been suspended"],
    ["RCPT", "554 5.7.1 Relay access denied"],
    ["MAIL", "550 5.7.1 Sending limit of customer 4711 exceeded, id 5fHq2A"],
    ["RCPT", "550 Administrative prohibition"],
    ["RCPT", "550 No such user here (callback to the return path failed)"],
  ])("at %s with %s: nobody is bounced or suppressed, and all is delivered once it takes one", async (verb, words) => {
    const relay = relayWith(verb, words)
    await relay.open()
    const ids = await sendEach(to(6))
    await deliverDue(relays)
    await probeNow(relays)
    expect(await suppressedAddresses(sender)).toEqual([])
    expect((await statuses(ids)).filter((status) => status === "bounced")).toEqual([])
    expect(await findOutages()).toMatchObject([{ route: "eu-west-1", refusing: expect.any(String), diagnostic: words }])
    for (const id of ids) {
      expect(await deliveryRows(id)).toMatchObject([{ attempt_count: 0, bounce_type: null, ended_at: null }])
      expect(await emailRow(id)).toMatchObject({ reason: expect.stringMatching(/^region_/) })
    }

    // It greets as ever: what decides is whether it takes an email, and one email is tried each time.
    const before = server.received.filter((line) => line.startsWith("RCPT")).length
    await probeNow(relays)
    expect(server.received.filter((line) => line.startsWith("RCPT")).length - before).toBeLessThanOrEqual(1)
    await deliverDue(relays)
    expect(server.messages).toHaveLength(0)
    expect(await findOutages()).toHaveLength(1)

    relay.says(ok)
    await probeNow(relays)
    expect(await findOutages()).toEqual([])
    expect(server.messages).toHaveLength(1)
    await deliverDue(relays)
    expect(await statuses(ids)).toEqual(Array(6).fill("delivered"))
    expect(server.messages).toHaveLength(6)
    expect(await suppressedAddresses(sender)).toEqual([])
  })

  test("for our account, after each message: nobody is bounced, and all is delivered once it takes one", async () => {
    const relay = relayWith("DOT", "554 Message rejected: Sending paused for this account. Check your inbox")
    await relay.open()
    const ids = await sendEach(to(4, "paused"))
    await deliverDue(relays)
    await probeNow(relays)
    expect(await statuses(ids)).not.toContain("bounced")
    expect(await findOutages()).toMatchObject([{ route: "eu-west-1", refusing: expect.any(String) }])
    relay.says(ok)
    await probeNow(relays)
    await deliverDue(relays)
    expect(await statuses(ids)).toEqual(Array(4).fill("delivered"))
  })

  test("whom an account has not verified, after each message: nobody is bounced, and all is delivered once it may", async () => {
    const relay = relayWith("MAIL", ok)
    let isSandbox = true
    const refusal = () => {
      const recipient = /<(.*)>/.exec(server.received.findLast((line) => line.startsWith("RCPT")) ?? "")?.[1]
      return `554 Message rejected: Email address is not verified. The following identities failed the check in region EU-WEST-1: ${recipient}`
    }
    await relay.open({ DOT: () => (isSandbox ? refusal() : ok) })
    const ids = await sendEach(to(4, "unverified"))
    await deliverDue(relays)
    await probeNow(relays)
    expect(await statuses(ids)).not.toContain("bounced")
    isSandbox = false
    await probeNow(relays)
    await deliverDue(relays)
    expect(await statuses(ids)).toEqual(Array(4).fill("delivered"))
  })

  test("takes back what bounced before the third domain, with its suppression, and the timeline says so", async () => {
    const relay = relayWith("RCPT", "550 5.3.0 Transaction not possible, ref 12345")
    await relay.open()
    const [first = "", second = ""] = await sendEach(to(2, "early"))
    await deliverDue(relays)
    expect(await statuses([first, second])).toEqual(["bounced", "bounced"])
    await pool().query(
      "INSERT INTO suppressions (id, project_id, email, reason, email_id) VALUES (gen_random_uuid(), $1, 'early0@early-0.example', 'bounce', $2), (gen_random_uuid(), $1, 'other@early-1.example', 'complaint', $2)",
      [sender.projectId, first],
    )
    const [third = ""] = await sendEach(to(1, "late"))
    await deliverDue(relays)
    await probeNow(relays)
    expect(await statuses([first, second, third])).not.toContain("bounced")
    expect(await suppressedAddresses(sender)).toEqual(["other@early-1.example"])
    expect((await eventRows(first)).map(({ type, data }) => [type, data.reason])).toEqual([
      ["queued", undefined],
      ["bounced", undefined],
      ["delivery_delayed", "bounce_taken_back"],
    ])
    expect((await attemptRows(first))[0]).toMatchObject({ outcome: "refused" })

    relay.says(ok)
    await pool().query("DELETE FROM suppressions")
    await probeNow(relays)
    await deliverDue(relays)
    expect(await statuses([first, second, third])).toEqual(Array(3).fill("delivered"))
  })

  test("is found out by several workers together, each of which met one domain", async () => {
    const relay = relayWith("RCPT", "550 5.7.1 Your account has been suspended")
    await relay.open()
    const ids: string[] = []
    const workers = [relays, createRelays(), createRelays()]
    for (const [at, worker] of workers.entries()) {
      ids.push(...(await sendEach(to(1, `worker${at}`))))
      await deliverDue(worker)
    }
    await Promise.all(workers.map(probeNow))
    expect(await statuses(ids)).not.toContain("bounced")
    relay.says(ok)
    await probeNow(workers[1] as Relays)
    await Promise.all(workers.map((worker) => deliverDue(worker)))
    expect(await statuses(ids)).toEqual(Array(3).fill("delivered"))
    await Promise.all(workers.slice(1).map((worker) => worker.close()))
  })
})

describe("a relay that refuses some", () => {
  test.each([
    ["550 5.1.1 User unknown"],
    ["550 No such user here"],
    ["550 5.1.2 Recipient address rejected: Domain not found"],
    ["552 5.2.2 mailbox full"],
  ])("as missing, full or without a domain is not down: %s", async (words) => {
    const relay = relayWith("RCPT", words)
    await relay.open()
    const ids = await sendEach(to(4, "none"))
    await deliverDue(relays)
    expect(await findOutages()).toEqual([])
    if (!words.startsWith("552")) expect(await statuses(ids)).toEqual(Array(4).fill("bounced"))
  })

  test("and takes others is not down: the refusals are bounces, and nobody is suppressed", async () => {
    server = await faultServer({
      RCPT: (_, count) => (count % 2 === 0 ? ok : "550 5.7.1 Sender domain not allowed for this customer"),
    })
    relays = relayAt(server.port, "delivered=accept&connections=1")
    const ids = await sendEach(to(8, "some"))
    await deliverDue(relays)
    expect(await findOutages()).toEqual([])
    expect((await statuses(ids)).sort()).toEqual([...Array(4).fill("bounced"), ...Array(4).fill("delivered")])
    expect(await suppressedAddresses(sender)).toEqual([])
  })

  test("of one domain only, however many, is not down", async () => {
    const relay = relayWith("RCPT", "550 5.7.1 blocked by policy")
    await relay.open()
    const ids = await sendMail(sender, { to: Array.from({ length: 6 }, (_, at) => `p${at}@one.example`) })
    await deliverDue(relays)
    expect(await findOutages()).toEqual([])
    expect(await statuses(ids)).toEqual(Array(6).fill("bounced"))
  })
})

describe("a worker whose path to the relay is broken", () => {
  test("stops claiming by itself, says so in its heartbeat, and another one sends everything", async () => {
    server = await faultServer({})
    const gone = await faultServer({})
    await gone.close()
    const broken = relayAt(gone.port)
    broken.named("eu-west-1")
    relays = relayAt(server.port)
    await writeHeartbeat(relays.paths)
    await writeHeartbeat(broken.paths)

    const ids = await sendEach(to(3, "path"))
    await deliverDue(broken)
    expect(await findOutages()).toEqual([])
    const seen = (await findLiveWorkers()).find(({ id }) => id === broken.paths.id)
    expect(seen?.unreachable).toMatchObject({
      "eu-west-1": { phase: "connect", diagnostic: expect.stringMatching(/ECONNREFUSED/) },
    })
    expect(await statuses(ids)).toEqual(Array(3).fill("sending"))
    await deliverDue(relays)
    expect(await statuses(ids)).toEqual(Array(3).fill("delivered"))
    for (const id of ids) expect(await deliveryRows(id)).toMatchObject([{ attempt_count: 1 }])
    await broken.close()
  })

  test("is the last one: the region is down, until one of them reaches the relay", async () => {
    server = await faultServer({})
    const gone = await faultServer({})
    await gone.close()
    const first = relayAt(gone.port)
    relays = relayAt(gone.port)
    await writeHeartbeat(first.paths)
    await writeHeartbeat(relays.paths)
    const [id = ""] = await sendEach(to(1, "last"))
    await deliverDue(first)
    expect(await findOutages()).toEqual([])
    await deliverDue(relays)
    expect(await findOutages()).toMatchObject([{ route: "eu-west-1", refusing: null }])
    const healed = relayAt(server.port)
    await probeNow(healed)
    expect(await findOutages()).toEqual([])
    await deliverDue(healed)
    expect(await statuses([id])).toEqual(["delivered"])
    await Promise.all([first.close(), healed.close()])
  })
})
