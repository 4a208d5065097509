import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { size } from "@/e2e/support/chaos/size"
import { type MailLab, startMailLab } from "@/e2e/support/delivery/mail-lab"
import { attemptRows, deliverDue, keepQueues, newSending, type Sending } from "@/e2e/support/delivery/sending"
import {
  findDestination,
  limitDestination,
  findDestinations,
  pauseDestination,
  resumeDestination,
  tryDestination,
} from "@/lib/delivery/destinations/data"
import { claimForProbe } from "@/lib/delivery/queue/claims/data"
import { storeChanged, storeNews } from "@/lib/delivery/queue/queues/destinations"
import { removeWorker } from "@/lib/delivery/regions/data"
import { api } from "@/e2e/support/world"
import { createRelays, type Relays } from "@/lib/delivery/regions/relays"
import { pool } from "@/lib/platform/database/db"
import { provideEnv } from "@/lib/platform/env/env"
import { decodeId, encodeId } from "@/lib/platform/ids"

let lab: MailLab
let sender: Sending
let relays: Relays

beforeAll(async () => {
  lab = await startMailLab()
  provideEnv(lab.variables)
  sender = await fastSending()
})

beforeEach(() => {
  relays = createRelays()
})

/** The next test's worker has the queues. */
afterEach(async () => {
  await relays.close()
  await pool().query("UPDATE deliveries SET due_at = NULL")
})

afterAll(() => lab.close())

describe("a destination that is away", () => {
  const count = size(30, 1_000)

  it("is asked once a pause, loses no mail and charges no attempt, and gets all of it once it is back", async () => {
    let isAway = true
    const server = await lab.faulty("127.0.4.1", {
      GREETING: (socket) => (isAway ? void socket.end("421 4.3.0 closing\r\n") : "220 fault.test"),
    })
    lab.domain("gone.example", [["mx.gone.example", 10, "127.0.4.1"]])
    await sendTo("gone.example", count)
    await deliverDue(relays)
    expect(await queueOf("mx.gone.example")).toMatchObject({ pause: "away", pauses: 1, reply: "4.3.0 closing" })
    // Half an hour: pauses of 1, 2, 4, 8 and 15 minutes.
    for (const pauses of [2, 3, 4, 5]) {
      const before = server.connections()
      await deliverDue(relays)
      expect(server.connections()).toBe(before)
      await endPause("mx.gone.example")
      await deliverDue(relays)
      expect(server.connections()).toBe(before + 1)
      expect(await queueOf("mx.gone.example")).toMatchObject({ pauses })
    }
    expect(server.connections()).toBeLessThanOrEqual(8)
    expect(await deliveriesTo("gone.example")).toEqual([{ status: "sending", attempts: 0, count }])

    isAway = false
    await endPause("mx.gone.example")
    await deliverDue(relays)
    expect(await deliveriesTo("gone.example")).toEqual([{ status: "delivered", attempts: 1, count }])
    await storeChanged(relays)
    expect(await queueOf("mx.gone.example")).toMatchObject({ pause: null, paused_until: null, pauses: 0 })
  })

  it("stays paused over a restart, and its mail is not even read meanwhile", async () => {
    const server = await lab.faulty("127.0.4.2", { GREETING: (socket) => void socket.end("421 4.3.0 closing\r\n") })
    lab.domain("restart.example", [["mx.restart.example", 10, "127.0.4.2"]])
    await sendTo("restart.example", 3)
    await deliverDue(relays)
    const before = server.connections()
    const { pause, pauses, reply } = await queueOf("mx.restart.example")
    await relays.close()
    relays = createRelays()
    await sendTo("restart.example", 1)
    await deliverDue(relays)
    expect(server.connections()).toBe(before)
    expect({ pause, pauses, reply }).toEqual({ pause: "away", pauses: 1, reply: "4.3.0 closing" })
    expect(await queueOf("mx.restart.example")).toMatchObject({ pause, pauses, reply })
    await endPause("mx.restart.example")
    await deliverDue(relays)
    expect(await queueOf("mx.restart.example")).toMatchObject({ pause: "away", pauses: 2 })
    expect(server.connections()).toBe(before + 1)
  })
})

describe("a destination that asks to slow down", () => {
  it("gets one mail a minute, then pauses; its neighbours' mail goes on, and no attempt is charged", async () => {
    let isSlow = true
    const server = await lab.faulty("127.0.4.11", {
      MAIL: () => (isSlow ? "421 4.7.0 Try again later, closing connection" : "250 2.1.0 ok"),
    })
    // With full numbers and times: `e2e/chaos/direct-load.db.test.ts`.
    const [neighbours, mails, others] = [20, 12, 28]
    const other = await lab.server("127.0.4.12")
    lab.domain("outlook.example", [["mx.slow.olc.protection.outlook.com", 10, "127.0.4.11"]])
    for (let at = 0; at < neighbours; at += 1)
      lab.domain(`n${at}.neighbour.example`, [[`mx${at}.neighbour.example`, 10, "127.0.4.12"]])
    await sendTo("outlook.example", mails)
    for (let at = 0; at < others; at += 1) await sendTo(`n${at % neighbours}.neighbour.example`, 1)
    await deliverDue(relays)
    expect(other.taken).toHaveLength(others)
    // Those that were under way at once, each over a connection that the server closed.
    expect(server.connections()).toBeLessThanOrEqual(2)
    await storeChanged(relays)
    expect(await queueOf("Outlook.com")).toMatchObject({
      pause: null,
      pace_per_minute: 1,
      reply: "421 4.7.0 Try again later, closing connection",
    })
    expect(await deliveriesTo("outlook.example")).toEqual([{ status: "sending", attempts: 0, count: mails }])

    // The next one, a minute later, begins the first pause; each end of a pause is one connection.
    await restartPaced()
    for (const pauses of [1, 2, 3]) {
      const before = server.connections()
      await deliverDue(relays)
      expect(server.connections()).toBe(before + 1)
      expect(await queueOf("Outlook.com")).toMatchObject({ pause: "slow", pauses })
      await deliverDue(relays)
      expect(server.connections()).toBe(before + 1)
      await endPause("Outlook.com")
    }
    isSlow = false
    await deliverDue(relays)
    expect(await deliveriesTo("outlook.example")).toEqual([{ status: "delivered", attempts: 1, count: mails }])
    await storeNews(relays)
    await storeNews(relays)
    expect(await hoursOf("Outlook.com")).toEqual({ delivered: mails, deferred: 3, signals: ["slow"] })
  })

  it("because of one project, delays the mail of another one to it without charging it, and nothing else of that one", async () => {
    const neighbour = await fastSending()
    let isSlow = true
    await lab.faulty("127.0.4.13", { DOT: () => (isSlow ? "421 4.7.28 unusual rate of unsolicited mail" : "250 ok") })
    const other = await lab.server("127.0.4.14")
    lab.domain("shared.example", [["mx.shared.yahoodns.net", 10, "127.0.4.13"]])
    lab.domain("elsewhere.example", [["mx.elsewhere.example", 10, "127.0.4.14"]])
    await sendTo("shared.example", 5)
    await deliverDue(relays)
    await sendTo("shared.example", 2, neighbour)
    await sendTo("elsewhere.example", 2, neighbour)
    await deliverDue(relays)
    await storeNews(relays)
    const { rows: refusals } = await pool().query(
      "SELECT r.project_id, sum(r.count)::int AS count FROM destination_refusals r WHERE r.project_id = ANY ($1) GROUP BY 1",
      [[sender.projectId, neighbour.projectId]],
    )
    expect(refusals).toContainEqual({ project_id: sender.projectId, count: expect.any(Number) })
    expect(refusals.map(({ project_id }) => project_id)).not.toContain(neighbour.projectId)
    expect(other.taken).toHaveLength(2)
    expect(await deliveriesTo("shared.example")).toEqual([
      { status: "queued", attempts: 0, count: 2 },
      { status: "sending", attempts: 0, count: 5 },
    ])
    isSlow = false
    await pool().query(
      "UPDATE delivery_queues SET pace_per_minute = NULL, revision = revision + 1 WHERE kind = 'destination'",
    )
    await deliverDue(relays)
    expect(await deliveriesTo("shared.example")).toEqual([{ status: "delivered", attempts: 1, count: 7 }])
  })

  it("keeps what its server said with one mail, and tells the others why they wait", async () => {
    await lab.faulty("127.0.4.15", { MAIL: "421 4.7.0 Rate limited" })
    lab.domain("why.example", [["mx.why.example", 10, "127.0.4.15"]])
    const ids = await sendTo("why.example", 4)
    await deliverDue(relays)
    const attempts = (await Promise.all(ids.map(attemptRows))).flat()
    expect(attempts).toMatchObject([{ outcome: "deferred", phase: "mail", code: 421, text: "4.7.0 Rate limited" }])
    const { rows } = await pool().query(
      "SELECT DISTINCT reason, reason_facts->>'why' AS why, reason_facts->>'name' AS name FROM emails WHERE id = ANY ($1) AND reason IS NOT NULL",
      [ids],
    )
    expect(rows).toEqual([{ reason: "destination", why: "slow", name: "mx.why.example" }])
  })
})

it("a destination that refuses our address is left alone for an hour: mail that it refused for that waits and does not bounce", async () => {
  let isBlocked = true
  const server = await lab.faulty("127.0.4.21", {
    RCPT: () => (isBlocked ? "550 5.7.1 Client host [203.0.113.5] blocked using a list" : "250 ok"),
  })
  lab.domain("blocked.example", [["mx.blocked.example", 10, "127.0.4.21"]])
  await sendTo("blocked.example", 6)
  await deliverDue(relays)
  const queue = await queueOf("mx.blocked.example")
  expect(queue).toMatchObject({ pause: "block" })
  expect(queue.seconds).toBeGreaterThan(3_500)
  const before = server.connections()
  await deliverDue(relays)
  expect(server.connections()).toBe(before)
  isBlocked = false
  await endPause("mx.blocked.example")
  await deliverDue(relays)
  expect(await deliveriesTo("blocked.example")).toEqual([{ status: "delivered", attempts: 1, count: 6 }])
})

it("a server that takes five connections of a client is learned to: nothing is deferred, and few connections are refused", async () => {
  let [open, refused] = [0, 0]
  const server = await lab.faulty("127.0.4.31", {
    GREETING: (socket) => {
      if (open >= 5) {
        refused += 1
        return void socket.end("421 4.7.0 mx.five.example Error: too many connections from 127.0.0.1\r\n")
      }
      open += 1
      socket.on("close", () => (open -= 1))
      return "220 fault.test"
    },
    // As long as a server takes, so that connections are needed at once.
    DOT: (socket) => void setTimeout(() => socket.writable && socket.write("250 2.0.0 queued\r\n"), 5),
  })
  const count = size(200, 1_500)
  lab.domain("five.example", [["mx.five.example", 10, "127.0.4.31"]])
  await sendTo("five.example", count)
  await deliverDue(relays)
  expect(await deliveriesTo("five.example")).toEqual([{ status: "delivered", attempts: 1, count }])
  const { rows } = await pool().query(
    `SELECT count(*)::int AS count FROM delivery_attempts a JOIN deliveries d ON d.id = a.delivery_id
      WHERE d.canonical LIKE '%@five.example' AND a.outcome <> 'accepted'`,
  )
  expect(rows).toEqual([{ count: 0 }])
  expect(refused).toBeLessThanOrEqual(10)
  expect(server.connections()).toBeLessThan(count)
})

it("the queue of a destination belongs to one of two workers: what the other one claims goes there, and its limits hold once", async () => {
  const other = createRelays()
  let [underWay, most] = [0, 0]
  await lab.faulty("127.0.4.41", {
    MAIL: () => {
      underWay += 1
      most = Math.max(most, underWay)
      return "250 ok"
    },
    DOT: (socket) =>
      void setTimeout(() => {
        underWay -= 1
        socket.write("250 2.0.0 queued\r\n")
      }, 5),
  })
  lab.domain("two.example", [["mx.mail.icloud.com", 10, "127.0.4.41"]])
  await keepQueues(relays)
  await keepQueues(other)
  await sendTo("two.example", 40)
  await Promise.all([deliverDue(relays), deliverDue(other)])
  // What one has put into the queue of the other is left to that one.
  await Promise.all([deliverDue(relays), deliverDue(other)])
  expect(await deliveriesTo("two.example")).toEqual([{ status: "delivered", attempts: 1, count: 40 }])
  expect(most).toBeLessThanOrEqual(5)
  await other.close()
})

it("the operator pauses, resumes, tries and limits a destination, and sees what waits for it", async () => {
  let isAway = true
  const server = await lab.faulty("127.0.4.51", {
    GREETING: (socket) => (isAway ? void socket.end("421 4.3.0 closing\r\n") : "220 fault.test"),
  })
  lab.domain("operated.example", [["mx.operated.example", 10, "127.0.4.51"]])
  const [first = ""] = await sendTo("operated.example", 3)
  await deliverDue(relays)
  const { id } = await queueOf("mx.operated.example")
  // The first of them is put back once its pause is stored.
  await expect
    .poll(async () => {
      await deliverDue(relays)
      const { data } = await findDestinations({ page: 1, size: 100 }, "eu-west-1")
      return data.find((one) => one.id === String(id))
    })
    .toMatchObject({ name: "mx.operated.example", pause: "away", waiting: 3 })
  const { json } = await api("GET /v1/projects/{projectId}/emails/{emailId}/explanation", {
    key: sender.apiKey,
    params: { projectId: encodeId("proj", sender.projectId), emailId: encodeId("email", first) },
  })
  expect(json.cause).toMatch(
    /^Waits: the mail servers of mx\.operated\.example cannot be reached since \d{4}-\d\d-\d\d \d\d:\d\d UTC/,
  )

  isAway = false
  expect(await tryDestination(id)).toBe(true)
  await deliverDue(relays)
  expect(await deliveriesTo("operated.example")).toEqual([{ status: "delivered", attempts: 1, count: 3 }])

  expect(await pauseDestination(id)).toBe(true)
  const before = server.connections()
  await sendTo("operated.example", 2)
  await deliverDue(relays)
  expect(server.connections()).toBe(before)
  expect(await findDestination(id)).toMatchObject({ pause: "operator", waiting: 2 })
  expect(await claimForProbe("eu-west-1", 60_000, []), "emails that may probe the region").toEqual([])
  expect(await tryDestination(id)).toBe(false)
  expect(await limitDestination(id, { connections: 1 })).toBe(true)
  expect(await resumeDestination(id)).toBe(true)
  await deliverDue(relays)
  expect(await findDestination(id)).toMatchObject({ state: "flowing", waiting: 0, limits: { connections: 1 } })
  expect(await deliveriesTo("operated.example")).toEqual([{ status: "delivered", attempts: 1, count: 5 }])
  expect(await pauseDestination(0)).toBe(false)
})

/** As long as a minute has passed: what is stored counts, and the first mail of a pace may go at once. */
async function restartPaced(): Promise<void> {
  await removeWorker(relays.paths)
  await relays.close()
  relays = createRelays()
}

async function fastSending(): Promise<Sending> {
  const made = await newSending()
  await pool().query("UPDATE projects SET per_second_sends = 10000 WHERE id = $1", [made.projectId])
  return made
}

/** Emails to recipients of the domain, of one project. */
async function sendTo(domain: string, count: number, by = sender): Promise<string[]> {
  const ids: string[] = []
  for (let at = 0; at < count; at += 100) {
    await pool().query("DELETE FROM rate_windows")
    const items = Array.from({ length: Math.min(100, count - at) }, (_, next) => ({
      from: `Acme <hello@${by.domain}>`,
      to: [`r${at + next}@${domain}`],
      subject: "Hello",
      text: "Hi",
    }))
    const { status, json } = await api("POST /v1/emails/batch", { key: by.apiKey, body: { items } })
    if (status >= 300) throw new Error(JSON.stringify(json))
    const results = json.results as { id?: string; error?: string }[]
    ids.push(...results.map(({ id = "" }) => decodeId("email", id) ?? ""))
  }
  return ids
}

/** By status and attempts that count. */
async function deliveriesTo(domain: string) {
  const { rows } = await pool().query(
    `SELECT status, attempt_count AS attempts, count(*)::int AS count FROM deliveries WHERE canonical LIKE '%@' || $1
      GROUP BY 1, 2 ORDER BY 1, 2`,
    [domain],
  )
  return rows
}

/** Of the destination that has this name, or this host. */
/** All hours together, since a test may run over the end of one. */
async function hoursOf(name: string) {
  const { rows } = await pool().query<{ delivered: number; deferred: number; signals: string[] }>(
    `SELECT sum(h.delivered)::int AS delivered, sum(h.deferred)::int AS deferred,
        ARRAY(SELECT DISTINCT unnest(o.signals) FROM destination_hours o WHERE o.queue_id = h.queue_id) AS signals
      FROM destination_hours h JOIN delivery_queues q ON q.id = h.queue_id JOIN destinations d ON d.id = q.destination_id
      WHERE coalesce(d.provider, d.hosts[1]) = $1 GROUP BY h.queue_id`,
    [name],
  )
  return rows[0]
}

async function queueOf(name: string) {
  const { rows } = await pool().query(
    `SELECT q.*, extract(epoch FROM paused_until - now())::int AS seconds FROM delivery_queues q
      JOIN destinations t ON t.id = q.destination_id WHERE t.provider = $1 OR $1 = ANY (t.hosts)`,
    [name],
  )
  return rows[0]
}

async function endPause(name: string): Promise<void> {
  // A mail that failed while others were still tried comes back a few seconds later.
  await pool().query("UPDATE deliveries SET due_at = now() - interval '1 second' WHERE due_at > now()")
  await pool().query(
    `UPDATE delivery_queues SET paused_until = now() - interval '1 second', limited_since = limited_since - (paused_until - now())
      WHERE destination_id IN (SELECT id FROM destinations WHERE provider = $1 OR $1 = ANY (hosts))`,
    [name],
  )
}
