import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { newMailer, readers, sendTo } from "@/e2e/support/chaos/mailing"
import { size } from "@/e2e/support/chaos/size"
import { type LabServer, type MailLab, startMailLab } from "@/e2e/support/delivery/mail-lab"
import {
  attemptRows,
  deliverDue,
  deliveryRows,
  emailRow,
  eventRows,
  passWait,
  probeNow,
  type Sending,
  sendMail,
} from "@/e2e/support/delivery/sending"
import { api } from "@/e2e/support/world"
import { claimSystemMails, listUndeliveredMail, queueSystemMail } from "@/lib/access/system-mail/data"
import { systemRelay } from "@/lib/access/system-mail/system-mail"
import { resumeDestination, resumeRefusedFor, tryDestination } from "@/lib/delivery/destinations/data"
import { countWarmUpWaits } from "@/lib/delivery/egress/data"
import { warmUpCaps } from "@/lib/delivery/egress/rules"
import { startLoopTest } from "@/lib/delivery/regions/return-route-store"
import { testRelay, createRelays, type Relays } from "@/lib/delivery/regions/relays"
import { lockReturned, recordComplaint, recordReturned, returnedOutcome } from "@/lib/delivery/queue/feedback/data"
import { feedbackHost } from "@/lib/domains/records/records"
import { sendLoopTests } from "@/lib/inbound/loop-test"
import { pool, transaction } from "@/lib/platform/database/db"
import { env, provideEnv } from "@/lib/platform/env/env"
import { encodeId, newId } from "@/lib/platform/ids"
import { systemIo } from "@/lib/regions/io"
import { runSystemMail } from "@/lib/worker/system-mail"

let lab: MailLab
let server: LabServer
let sender: Sending
let relays: Relays
/** What recipients' servers say to a recipient; nothing takes it. */
let refusal: { code: number; text: string } | undefined

const day = "2026-11-26"
const at = (time: string) => ({ clock: { now: () => new Date(time) } })

beforeAll(async () => {
  lab = await startMailLab()
  provideEnv(lab.variables)
  server = await lab.server("127.0.0.71", { refuses: () => refusal })
  lab.domain("x.example", [["mx.x.example", 10, "127.0.0.71"]])
  lab.domain("y.example", [["mx.mail.am0.yahoodns.net", 10, "127.0.0.71"]])
  sender = await newMailer()
})

beforeEach(async () => {
  await pool().query("DELETE FROM delivery_workers")
  relays = createRelays()
  refusal = undefined
  server.asked.length = 0
  await pool().query("DELETE FROM egress_addresses")
  await pool().query("UPDATE projects SET egress_pool = 'default' WHERE id = $1", [sender.projectId])
})

afterAll(async () => {
  await relays.close()
  await lab.close()
})

describe("An email", () => {
  test("leaves from the address of its project's pool, under that address' name, and keeps it for its retries", async () => {
    const address = await add("127.0.0.201", { pool: "news", ehlo: "out1.mail.example" })
    await add("127.0.0.202", { ehlo: "out2.mail.example" })
    await pool().query("UPDATE projects SET egress_pool = 'news' WHERE id = $1", [sender.projectId])
    refusal = { code: 451, text: "4.7.1 Greylisted, try again later" }
    const id = await send("ada@x.example")
    expect(await deliveryRows(id)).toMatchObject([{ egress_address_id: address }])

    await pool().query("UPDATE egress_addresses SET pool = 'other' WHERE id = $1", [address])
    await add("127.0.0.203", { pool: "news", ehlo: "out3.mail.example" })
    refusal = undefined
    await again(id)
    expect(await emailRow(id)).toMatchObject({ status: "delivered" })
    const own = { client: "127.0.0.201", helo: "out1.mail.example" }
    expect(server.asked).toMatchObject([own, own])
  })

  test("waits while the address of its earlier attempts is paused, says why, and leaves from there once it is resumed", async () => {
    const address = await add("127.0.0.201")
    refusal = { code: 451, text: "4.7.1 Greylisted, try again later" }
    const id = await send("ada@x.example")
    await pool().query("UPDATE egress_addresses SET paused_at = now() WHERE id = $1", [address])
    await add("127.0.0.202")
    refusal = undefined
    await again(id)
    expect(await deliveryRows(id)).toMatchObject([{ attempt_count: 1, reason: "egress_paused" }])
    expect(await explanation(id)).toMatchObject({ cause: expect.stringContaining("paused the address") })
    const other = await send("bob@x.example")
    expect(await emailRow(other)).toMatchObject({ status: "delivered" })

    await pool().query("UPDATE egress_addresses SET paused_at = NULL WHERE id = $1", [address])
    await again(id)
    expect(await emailRow(id)).toMatchObject({ status: "delivered" })
    expect(server.asked.map(({ client }) => client)).toEqual(["127.0.0.201", "127.0.0.202", "127.0.0.201"])
  })

  test("leaves from another address of the pool once that of its earlier attempts is removed", async () => {
    const address = await add("127.0.0.201")
    refusal = { code: 451, text: "4.7.1 Greylisted, try again later" }
    const id = await send("ada@x.example")
    await pool().query("DELETE FROM egress_addresses WHERE id = $1", [address])
    await add("127.0.0.202")
    refusal = undefined
    await again(id)
    expect(await emailRow(id)).toMatchObject({ status: "delivered" })
    expect(server.asked.map(({ client }) => client)).toEqual(["127.0.0.201", "127.0.0.202"])
  })

  test("waits without an attempt while this machine lacks the address, and the region says so until it is removed", async () => {
    const address = await add("203.0.113.77")
    const id = await send("ada@x.example")
    const sentence = "This server does not have the address 203.0.113.77, from which email leaves."
    expect(await deliveryRows(id)).toMatchObject([{ attempt_count: 0 }])
    expect(await outages()).toMatchObject([{ route: "eu-west-1", diagnostic: sentence }])
    await probeNow(relays)
    expect(await outages()).toMatchObject([{ diagnostic: sentence }])

    await pool().query("DELETE FROM egress_addresses WHERE id = $1", [address])
    await probeNow(relays)
    expect(await outages()).toEqual([])
    await deliverDue(relays)
    expect(await emailRow(id)).toMatchObject({ status: "delivered" })
    expect(await deliveryRows(id)).toMatchObject([{ attempt_count: 1 }])
  })

  test("waits where a destination refuses its address, while other addresses' mail goes on; operators are told once", async () => {
    await pool().query("UPDATE users SET operator_since = now() WHERE id = $1", [sender.userId])
    const blocked = await add("127.0.0.201")
    const reply = { code: 550, text: "5.7.1 [127.0.0.201] is blocked, see https://block.example" }
    refusal = reply
    const [first, second] = [await send("ada@x.example"), await send("bob@x.example")]
    const because = { attempt_count: 0, reason: "destination", status: "sending" }
    expect(await deliveryRows(first)).toMatchObject([{ ...because, diagnostic: expect.stringContaining("is blocked") }])
    expect(await deliveryRows(second)).toMatchObject([because])
    expect(await explanation(second)).toMatchObject({ cause: expect.stringContaining("mx.x.example") })
    expect(server.asked).toHaveLength(1)
    const pauses = async () => (await pool().query("SELECT * FROM egress_pauses")).rows
    expect(await pauses()).toMatchObject([{ address_id: blocked, reply: reply.text }])
    const told = async () => (await claimSystemMails(500, 60_000)).filter(({ mail }) => mail.kind === "address-blocked")
    await expect
      .poll(told, { timeout: 20_000 })
      .toMatchObject([{ mail: { address: "127.0.0.201", destination: "mx.x.example", region: "eu-west-1" } }])

    // Another address of the region is not refused.
    refusal = undefined
    await pool().query("UPDATE projects SET egress_pool = 'news' WHERE id = $1", [sender.projectId])
    await add("127.0.0.202", { pool: "news" })
    expect(await emailRow(await send("cy@x.example"))).toMatchObject({ status: "delivered" })

    await pool().query("UPDATE projects SET egress_pool = 'default' WHERE id = $1", [sender.projectId])
    // At the end one mail tries: it is refused, and nobody is told again.
    refusal = reply
    await endBlock(first, second)
    await deliverDue(relays)
    expect(server.asked).toHaveLength(3)
    expect(await told()).toEqual([])
    refusal = undefined
    await endBlock(first, second)
    await deliverDue(relays)
    await expect.poll(pauses, { timeout: 20_000 }).toEqual([])
    await endBlock(first, second)
    await deliverDue(relays)
    for (const id of [first, second]) expect(await emailRow(id)).toMatchObject({ status: "delivered" })
    expect(server.asked.slice(-2).map(({ client }) => client)).toEqual(["127.0.0.201", "127.0.0.201"])
  })

  test("that waits for a block is tried once when the operator asks for that, and leaves at once when it is lifted", async () => {
    const blocked = await add("127.0.0.201")
    refusal = { code: 550, text: "5.7.1 [127.0.0.201] is blocked, see https://block.example" }
    const ids = [await send("ada@x.example"), await send("bob@x.example"), await send("cy@x.example")]
    expect(server.asked).toHaveLength(1)
    const { rows } = await pool().query("SELECT queue_id FROM egress_pauses WHERE address_id = $1", [blocked])
    const [{ queue_id: queue }] = rows

    expect(await tryDestination(queue)).toBe(true)
    await deliverDue(relays)
    expect(server.asked).toHaveLength(2)
    const { rows: left } = await pool().query("SELECT until > now() + interval '50 minutes' AS long FROM egress_pauses")
    expect(left).toEqual([{ long: true }])

    refusal = undefined
    expect(await resumeDestination(queue)).toBe(true)
    await deliverDue(relays)
    expect(await Promise.all(ids.map(emailRow))).toMatchObject(ids.map(() => ({ status: "delivered" })))
    expect(await tryDestination(queue)).toBe(false)
  })

  test("that a server refuses for the reverse name says so, and leaves once that row of the set-up is right", async () => {
    await add("127.0.0.201")
    refusal = { code: 550, text: "5.7.25 Client host rejected: cannot find your hostname, [127.0.0.201]" }
    const ids = [await send("ada@x.example"), await send("bob@x.example")]
    expect(await explanation(ids[1] ?? "")).toMatchObject({
      cause: expect.stringContaining("has no reverse name (PTR) that leads back to it"),
      fix: expect.stringContaining("Sending set-up"),
    })
    await resumeRefusedFor("ehlo_name", "eu-west-1", "127.0.0.201")
    await deliverDue(relays)
    expect(server.asked, "attempts after another repair").toHaveLength(1)
    refusal = undefined
    await resumeRefusedFor("reverse_name", "eu-west-1", "127.0.0.201")
    await deliverDue(relays)
    expect(await Promise.all(ids.map(emailRow))).toMatchObject(ids.map(() => ({ status: "delivered" })))
  })

  test("is counted at its address: bounces and deferrals too, and greylisting not", async () => {
    const address = await add("127.0.0.201")
    refusal = { code: 451, text: "4.7.1 Greylisted, try again later" }
    const id = await send("ada@x.example")
    refusal = { code: 451, text: "4.7.1 Too much spam from you" }
    await again(id)
    refusal = { code: 550, text: "5.1.1 User unknown" }
    await again(id)
    const counted = async () => (await pool().query("SELECT * FROM egress_days WHERE address_id = $1", [address])).rows
    await expect.poll(counted, { timeout: 20_000 }).toMatchObject([{ provider: "", sent: 1, deferred: 1, bounced: 1 }])
  })
})

test("The installation's own tests leave from an address of the default pool that is not paused, under its name", async () => {
  await add("127.0.0.201", { pool: "news", ehlo: "out1.mail.example" })
  const paused = await add("127.0.0.202", { ehlo: "out2.mail.example" })
  await pool().query("UPDATE egress_addresses SET paused_at = now() WHERE id = $1", [paused])
  await add("127.0.0.203", { ehlo: "out3.mail.example" })
  expect(await testRelay("eu-west-1", "ada@x.example")).toMatchObject({ outcome: "accepted" })
  expect(server.asked).toMatchObject([{ client: "127.0.0.203", helo: "out3.mail.example" }])
})

test("The installation's own email leaves from there, too, and waits while the address is refused", async () => {
  await add("127.0.0.203", { ehlo: "out3.mail.example" })
  // Those of the tests before.
  await pool().query("DELETE FROM system_mails")
  await pool().query("DELETE FROM undelivered_system_mails")
  await pool().query("UPDATE egress_addresses SET region = $1", [systemRelay()?.region])
  refusal = { code: 550, text: "5.7.25 The address 127.0.0.203 has no reverse name" }
  const notice = { kind: "operator-notice", title: "A row is red", message: "Look.", fix: "Repair it." } as const
  await queueSystemMail(
    { ...notice, to: "ada@x.example", url: "https://app.example" },
    new Date(Date.now() + 3_600_000),
  )
  const stop = new AbortController()
  const running = runSystemMail({ io: systemIo(), signal: stop.signal, leaseMs: 60_000 })
  const waiting = async () => (await pool().query("SELECT attempts FROM system_mails WHERE due_at > now()")).rows
  await expect.poll(() => server.asked, { timeout: 20_000 }).toHaveLength(1)
  expect(server.asked).toMatchObject([{ client: "127.0.0.203", helo: "out3.mail.example" }])
  await expect.poll(waiting, { timeout: 20_000 }).toHaveLength(1)
  expect(await listUndeliveredMail()).toEqual([])
  refusal = undefined
  await pool().query("UPDATE system_mails SET due_at = now() - interval '1 second'")
  await expect
    .poll(async () => (await pool().query("SELECT 1 FROM system_mails")).rowCount, { timeout: 20_000 })
    .toBe(0)
  expect(server.asked, "once after the repair").toHaveLength(2)
  stop.abort()
  await running
})

test("A loop test goes past the pause that an earlier one has left, and finds that the way is free", async () => {
  lab.domain(feedbackHost("eu-west-1", env()), [["mx.loop.example", 10, "127.0.0.71"]])
  const ended = async () => {
    await startLoopTest("eu-west-1")
    await sendLoopTests({ relays, io: systemIo(), signal: new AbortController().signal })
    const { rows } = await pool().query("SELECT sent_at IS NOT NULL AS sent, code FROM return_routes")
    return rows
  }
  refusal = { code: 554, text: "5.7.1 [127.0.0.1] is blocked, see https://block.example" }
  expect(await ended(), "while it is refused").toEqual([{ sent: false, code: "not_accepted" }])
  refusal = undefined
  expect(await ended(), "afterwards").toEqual([{ sent: true, code: null }])
})

test("What comes back by mail is counted at the address that it left from, on the day on which it does", async () => {
  const address = await add("127.0.0.201")
  await send("eve@x.example")
  await send("finn@x.example")
  const { rows: left } = await pool().query<{ id: string }>(
    "SELECT id FROM deliveries WHERE egress_address_id = $1 AND status = 'delivered' ORDER BY id",
    [address],
  )
  const [complaint = "", bounce = ""] = left.map(({ id }) => id)
  await transaction((client) => recordComplaint(client, complaint))
  await transaction((client) => recordComplaint(client, complaint))
  await transaction(async (client) => {
    const news = { kind: "bounced", bounceType: "soft", bounceCode: "4.2.2", diagnostic: "full" } as const
    await recordReturned(
      client,
      (await lockReturned(client, [bounce])).map((delivery) => returnedOutcome(delivery, news)),
    )
  })
  const { rows } = await pool().query("SELECT * FROM egress_days WHERE address_id = $1", [address])
  expect(rows).toMatchObject([{ provider: "", sent: 2, deferred: 0, bounced: 1, complained: 1 }])
})

describe("A warm-up", () => {
  const [number, mails] = size([1, 230], [2, 560])
  const cap = warmUpCaps[number - 1] ?? 0

  test(`sends exactly its cap of ${cap} with two workers, the rest waits until midnight UTC, and then as much as the next cap allows`, async () => {
    const address = await add("127.0.0.201", { warmUpDay: number })
    const other = createRelays()
    await sendTo(sender, readers(mails))
    const both = async (time: string) => {
      const options = { io: at(time) }
      // What one has put into the queue of a destination that the other one holds is left to that one.
      for (let round = 0; round < 3; round++)
        await Promise.all([deliverDue(relays, options), deliverDue(other, options)])
      return { asked: server.asked.length, waiting: await waiting() }
    }
    expect(await both(`${day}T23:59:00Z`)).toEqual({ asked: cap, waiting: mails - cap })
    expect(new Set(server.asked.map(({ to }) => to)).size).toBe(cap)
    const { rows } = await pool().query(
      "SELECT DISTINCT reason_facts FROM deliveries WHERE project_id = $1 AND reason = 'warm_up'",
      [sender.projectId],
    )
    const until = "2026-11-27T00:00:00.000Z"
    expect(rows).toEqual([{ reason_facts: { address: "127.0.0.201", until } }])
    const waits = (address: string) => countWarmUpWaits({ region: "eu-west-1", address })
    expect([await waits("127.0.0.201"), await waits("127.0.0.202")]).toEqual([mails - cap, 0])

    // Nearly all of the next day's share is gone when the rest comes due.
    await pool().query("INSERT INTO egress_days (address_id, day, provider, sent) VALUES ($1, '2026-11-27', '', $2)", [
      address,
      (warmUpCaps[number] ?? 0) - 20,
    ])
    await makeDue()
    expect(await both(until)).toEqual({ asked: cap + 20, waiting: mails - cap - 20 })
    await pool().query(
      "UPDATE deliveries SET due_at = NULL, status = 'failed' WHERE project_id = $1 AND due_at IS NOT NULL",
      [sender.projectId],
    )
    await other.close()
  }, 120_000)

  test("gives one provider half of the cap, sends what is over from a warm address of the pool, and nothing from another pool's", async () => {
    const address = await add("127.0.0.201", { warmUpDay: 1 })
    await pool().query("INSERT INTO egress_days (address_id, day, provider, sent) VALUES ($1, $2, 'Yahoo', 98)", [
      address,
      day,
    ])
    await add("127.0.0.203", { pool: "other" })
    const first = await sendAll(["a@y.example", "b@y.example", "c@y.example"])
    expect(server.asked.map(({ client }) => client)).toEqual(["127.0.0.201", "127.0.0.201"])
    expect((await Promise.all(first.map(emailRow))).filter(({ status }) => status === "delivered")).toHaveLength(2)
    await add("127.0.0.202")
    await makeDue()
    await deliverDue(relays, { io: at(`${day}T12:00:00Z`) })
    expect(server.asked.map(({ client }) => client)).toEqual(["127.0.0.201", "127.0.0.201", "127.0.0.202"])
  })

  test("repeats a day whose rates were not good, of which the operators are told once", async () => {
    const address = await add("127.0.0.201", { warmUpDay: 3 })
    await pool().query(
      "INSERT INTO egress_days (address_id, day, provider, sent, bounced) VALUES ($1, $2, '', 900, 18)",
      [address, day],
    )
    await sendAll(["a@x.example"], "2026-11-28T08:00:00Z")
    const { rows } = await pool().query("SELECT warm_up_day, warm_up_on::text FROM egress_addresses WHERE id = $1", [
      address,
    ])
    expect(rows).toEqual([{ warm_up_day: 3, warm_up_on: "2026-11-28" }])
    await sendAll(["b@x.example"], "2026-11-28T09:00:00Z")
    const told = await pool().query("SELECT facts FROM operator_notices WHERE kind = 'warm_up_repeats'")
    const counts = { sent: 900, deferred: 0, bounced: 18, complained: 0 }
    expect(told.rows).toEqual([{ facts: { region: "eu-west-1", address: "127.0.0.201", day: 3, ...counts } }])
  })

  test("tells of a repeated day once, also where the first try lost a deadlock", async () => {
    const address = await add("127.0.0.201", { warmUpDay: 3 })
    await pool().query("DELETE FROM operator_notices")
    await pool().query(
      "INSERT INTO egress_days (address_id, day, provider, sent, bounced) VALUES ($1, $2, '', 900, 18)",
      [address, day],
    )
    await pool().query(`CREATE SEQUENCE tries;
      CREATE FUNCTION lose_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('tries') = 1 THEN RAISE EXCEPTION 'lost' USING ERRCODE = 'deadlock_detected'; END IF;
        RETURN NEW; END $$;
      CREATE TRIGGER lose_once BEFORE UPDATE ON egress_addresses FOR EACH ROW EXECUTE FUNCTION lose_once()`)
    await sendAll(["a@x.example"], "2026-11-28T08:00:00Z")
    await pool().query("DROP TRIGGER lose_once ON egress_addresses; DROP FUNCTION lose_once; DROP SEQUENCE tries")
    const told = await pool().query("SELECT facts FROM operator_notices WHERE kind = 'warm_up_repeats'")
    expect(told.rows).toHaveLength(1)
  })

  test("of an email that waits for it for 20 minutes is told once, with the reason, and no attempt is charged", async () => {
    const address = await add("127.0.0.201", { warmUpDay: 1 })
    await pool().query("INSERT INTO egress_days (address_id, day, provider, sent) VALUES ($1, $2, '', 200)", [
      address,
      day,
    ])
    const [id = ""] = await sendAll(["dora@x.example"])
    expect(await deliveryRows(id)).toMatchObject([{ status: "sending", attempt_count: 0, reason: "warm_up" }])
    for (let time = 0; time < 2; time++) {
      await passWait(id)
      await deliverDue(relays, { io: at(`${day}T12:30:00Z`) })
    }
    expect(await deliveryRows(id)).toMatchObject([{ status: "delivery_delayed", attempt_count: 0 }])
    const delays = (await eventRows(id)).filter(({ type }) => type === "delivery_delayed")
    expect(delays).toMatchObject([{ data: { reasonCode: "warm_up", address: "127.0.0.201" } }])
    expect(await attemptRows(id)).toEqual([])
    expect(await explanation(id)).toMatchObject({
      cause:
        "The address 127.0.0.201 is new and sends more each day: today's share is used up. The email waits until 2026-11-27 00:00 UTC.",
    })
  })
})

type Given = { pool?: string; ehlo?: string; warmUpDay?: number }

async function add(address: string, { pool: name = "default", ehlo = "out.mail.example", warmUpDay }: Given = {}) {
  const id = newId()
  await pool().query(
    `INSERT INTO egress_addresses (id, region, pool, address, ehlo_name, warm_up_day, warm_up_on)
      VALUES ($1, 'eu-west-1', $2, $3, $4, $5, $6)`,
    [id, name, address, ehlo, warmUpDay ?? null, warmUpDay ? day : null],
  )
  return id
}

async function send(to: string): Promise<string> {
  const [id = ""] = await sendMail(sender, { to: [to] })
  // A worker that has just started asks whether there are addresses.
  await deliverDue(relays)
  return id
}

async function sendAll(all: string[], time = `${day}T12:00:00Z`): Promise<string[]> {
  const ids = []
  for (const to of all) ids.push(...(await sendMail(sender, { to: [to] })))
  await deliverDue(relays, { io: at(time) })
  return ids
}

async function again(id: string): Promise<void> {
  await passWait(id)
  await deliverDue(relays)
}

/** The pause of an address ends now, and its mail is due. */
async function endBlock(...ids: string[]): Promise<void> {
  await pool().query("UPDATE egress_pauses SET until = now() - interval '1 second'")
  for (const id of ids) await passWait(id)
}

async function makeDue(): Promise<void> {
  await pool().query(
    "UPDATE deliveries SET due_at = now() - interval '1 second' WHERE project_id = $1 AND due_at > now()",
    [sender.projectId],
  )
}

async function waiting(): Promise<number> {
  const { rows } = await pool().query(
    "SELECT count(*)::int AS n FROM deliveries WHERE project_id = $1 AND due_at IS NOT NULL AND reason = 'warm_up'",
    [sender.projectId],
  )
  return rows[0].n
}

async function explanation(id: string) {
  const { json } = await api("GET /v1/projects/{projectId}/emails/{emailId}/explanation", {
    key: sender.apiKey,
    params: { projectId: sender.project, emailId: encodeId("email", id) },
  })
  return json
}

async function outages(): Promise<unknown[]> {
  return (await pool().query("SELECT * FROM region_outages")).rows
}
