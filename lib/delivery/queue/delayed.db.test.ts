import { afterEach, beforeEach, expect, test } from "vitest"
import { faultServer, type FaultServer } from "@/e2e/support/delivery/fault-server"
import {
  deliverDue,
  deliveryRows,
  emailRow,
  eventRows,
  eventTypes,
  newSending,
  passWait,
  relayAt,
  sendMail,
  type Sending,
} from "@/e2e/support/delivery/sending"
import { withRival } from "@/e2e/support/platform/rival"
import { createDelayNotices } from "@/lib/delivery/queue/waits/data"
import type { Relays } from "@/lib/delivery/regions/relays"
import { pool } from "@/lib/platform/database/db"

let sender: Sending
let server: FaultServer
let relays: Relays

beforeEach(async () => {
  sender = await newSending()
})
afterEach(async () => {
  await relays.close()
  await server.close()
})

/** As if the email had been accepted, and first attempted, so much earlier. */
async function age(emailId: string, minutes: number) {
  await pool().query("UPDATE emails SET created_at = created_at - make_interval(mins => $2) WHERE id = $1", [
    emailId,
    minutes,
  ])
  await pool().query(
    "UPDATE deliveries SET first_attempt_at = first_attempt_at - make_interval(mins => $2) WHERE email_id = $1",
    [emailId, minutes],
  )
}

test("an email between its attempts is delayed 20 minutes after its first due time, once, with the last reply", async () => {
  server = await faultServer({ RCPT: "451 4.7.1 greylisted" })
  relays = relayAt(server.port)
  const note = createDelayNotices()
  const [id = ""] = await sendMail(sender)
  await deliverDue(relays)
  await age(id, 19)
  expect(await note()).toBe(0)
  await age(id, 1)
  expect(await note()).toBe(1)
  expect(await note()).toBe(0)
  expect(await emailRow(id)).toMatchObject({ status: "delivery_delayed", reason: "deferred" })
  expect((await deliveryRows(id))[0]).toMatchObject({ status: "delivery_delayed", due_at: expect.any(Date) })
  expect(await eventTypes(id)).toEqual(["queued", "delivery_delayed"])
  expect((await eventRows(id)).at(-1)?.data).toMatchObject({ diagnostic: expect.stringContaining("greylisted") })
  await passWait(id)
  await deliverDue(relays)
  expect(await eventTypes(id)).toEqual(["queued", "delivery_delayed"])
})

test("an email of a region that is down is delayed though no attempt was charged, and sent when the region is back", async () => {
  server = await faultServer({})
  relays = relayAt(server.port)
  const note = createDelayNotices()
  const [late = "", young = ""] = [...(await sendMail(sender)), ...(await sendMail(sender))]
  await pool().query("UPDATE deliveries SET due_at = due_at - interval '21 minutes' WHERE email_id = $1", [late])
  // A project's own rate is no delay.
  expect(await note()).toBe(0)
  await pool().query(
    "INSERT INTO region_outages (route, phase, diagnostic, next_probe_at) VALUES ('eu-west-1', 'connect', 'connect ECONNREFUSED', now())",
  )
  expect(await note()).toBe(1)
  expect(await note()).toBe(0)
  expect((await eventRows(late)).at(-1)).toMatchObject({
    type: "delivery_delayed",
    data: { diagnostic: "connect ECONNREFUSED" },
  })
  expect(await eventTypes(young)).toEqual(["queued"])
  await pool().query("DELETE FROM region_outages")
  await deliverDue(relays)
  expect(await eventTypes(late)).toEqual(["queued", "delivery_delayed", "sent", "delivered"])
})

test("an email in the queue of a destination that takes nothing is delayed once, with what the destination said last", async () => {
  server = await faultServer({})
  relays = relayAt(server.port)
  const note = createDelayNotices()
  const [late = "", young = ""] = [...(await sendMail(sender)), ...(await sendMail(sender))]
  const { rows } = await pool().query<{ id: number }>(
    `WITH made AS (INSERT INTO destinations (key, hosts) VALUES ('paused', ARRAY['mx.paused.example']) RETURNING id)
      INSERT INTO delivery_queues (region, kind, destination_id, pause, paused_until, reply)
        SELECT 'eu-west-1', 'destination', id, 'slow', now() + interval '1 hour', '421 4.7.0 Too fast' FROM made RETURNING id`,
  )
  await pool().query("UPDATE deliveries SET queue_id = $2 WHERE email_id = ANY ($1)", [[late, young], rows[0]?.id])
  await pool().query("UPDATE deliveries SET due_at = due_at - interval '21 minutes' WHERE email_id = $1", [late])
  expect(await note()).toBe(1)
  expect(await note()).toBe(0)
  expect((await eventRows(late)).at(-1)).toMatchObject({
    type: "delivery_delayed",
    data: { diagnostic: "421 4.7.0 Too fast" },
  })
  expect(await eventTypes(young)).toEqual(["queued"])
  await pool().query("UPDATE deliveries SET due_at = NULL WHERE email_id = ANY ($1)", [[late, young]])
})

test("a round that fails is made again from where it began", async () => {
  server = await faultServer({})
  relays = relayAt(server.port)
  const note = createDelayNotices()
  const [first = "", second = ""] = [...(await sendMail(sender)), ...(await sendMail(sender))]
  for (const [id, minutes] of [
    [first, 22],
    [second, 21],
  ])
    await pool().query("UPDATE deliveries SET due_at = due_at - make_interval(mins => $2) WHERE email_id = $1", [
      id,
      minutes,
    ])
  await pool().query(
    "INSERT INTO region_outages (route, phase, diagnostic, next_probe_at) VALUES ('eu-west-1', 'connect', 'connect ECONNREFUSED', now())",
  )
  await withRival(async (rival) => {
    await rival.query("BEGIN")
    await rival.query("SELECT 1 FROM emails WHERE id = $1 FOR UPDATE", [second])
    await expect(note()).rejects.toMatchObject({ code: "55P03" })
  })
  expect(await note()).toBe(2)
  for (const id of [first, second]) expect(await eventTypes(id)).toEqual(["queued", "delivery_delayed"])
  await pool().query("DELETE FROM region_outages")
  await pool().query("UPDATE deliveries SET due_at = NULL WHERE email_id = ANY ($1)", [[first, second]])
})
