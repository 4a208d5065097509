import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { api } from "@/e2e/support/world"
import type { Relays } from "@/lib/delivery/regions/relays"
import { releaseRound } from "@/lib/delivery/scheduling/data"
import { faultServer, type Faults } from "@/e2e/support/delivery/fault-server"
import {
  deliverDue,
  deliveryRows,
  emailRow,
  eventRows,
  newSending,
  passWait,
  relayAt,
  sendMail,
  type Sending,
} from "@/e2e/support/delivery/sending"
import { unsubscribeToken } from "@/lib/delivery/message/unsubscribe"
import { hmac } from "@/lib/platform/crypto"
import { usedToday } from "@/e2e/support/used-today"
import { pool } from "@/lib/platform/database/db"
import { newSegment } from "@/e2e/support/segments/audience"
import type { Subscription } from "@/lib/consent/rules"
import { unsubscribe } from "@/lib/tracking/links"

type State =
  | "no contact"
  | "contact without preference"
  | "explicit in"
  | "explicit out"
  | "left by link without contact"
type Cell = { byDefault: Subscription; state: State; gets: boolean }

// A plain address has no state; a contact has its preference, else the default; whoever left by a link is out.
const cells: Cell[] = [
  { byDefault: "opt_in", state: "no contact", gets: true },
  { byDefault: "opt_in", state: "contact without preference", gets: true },
  { byDefault: "opt_in", state: "explicit in", gets: true },
  { byDefault: "opt_in", state: "explicit out", gets: false },
  { byDefault: "opt_in", state: "left by link without contact", gets: false },
  { byDefault: "opt_out", state: "no contact", gets: true },
  { byDefault: "opt_out", state: "contact without preference", gets: false },
  { byDefault: "opt_out", state: "explicit in", gets: true },
  { byDefault: "opt_out", state: "explicit out", gets: false },
  { byDefault: "opt_out", state: "left by link without contact", gets: false },
]

let sender: Sending
let server: Awaited<ReturnType<typeof faultServer>>
let relays: Relays
let topics: Record<Subscription, string>

async function listen(faults: Faults = {}) {
  server = await faultServer(faults)
  relays = relayAt(server.port)
}

beforeEach(async () => {
  sender = await newSending()
  topics = { opt_in: await newTopic("opt_in"), opt_out: await newTopic("opt_out") }
  await listen()
})

afterEach(async () => {
  await closeRelay()
  // What a test leaves waiting is not the next one's mail.
  await pool().query("UPDATE deliveries SET due_at = NULL WHERE project_id = $1", [sender.projectId])
})

async function closeRelay() {
  await relays.close()
  await server.close()
}

const params = () => ({ projectId: sender.project })

async function newTopic(defaultSubscription: Subscription): Promise<string> {
  const body = { name: `Product news ${defaultSubscription}`, defaultSubscription }
  return (await api("POST /v1/projects/{projectId}/topics", { key: sender.apiKey, params: params(), body })).json.id
}

const addressOf = ({ byDefault, state }: Cell) => `${state.replaceAll(" ", "-")}.${byDefault}@x.example`

async function addContact(cell: Cell, subscription?: Subscription) {
  const preferences = subscription ? { topics: [{ id: topics[cell.byDefault], subscription }] } : {}
  const body = { email: addressOf(cell), ...preferences }
  const { status } = await api("POST /v1/projects/{projectId}/contacts", { key: sender.apiKey, params: params(), body })
  expect(status).toBe(201)
}

/** Clicks the link of the newest mail of the topic to this address. */
async function leaveByLink(address: string) {
  const { rows } = await pool().query(
    "SELECT id FROM deliveries WHERE project_id = $1 AND canonical = $2 ORDER BY id DESC LIMIT 1",
    [sender.projectId, address],
  )
  const token = unsubscribeToken(rows[0].id, hmac)
  expect((await unsubscribe(new Request(`http://localhost:3000/u/${token}`, { method: "POST" }), token)).status).toBe(
    200,
  )
}

async function bring(cell: Cell) {
  if (cell.state === "contact without preference") await addContact(cell)
  if (cell.state === "explicit in") await addContact(cell, "opt_in")
  if (cell.state === "explicit out") await addContact(cell, "opt_out")
  if (cell.state === "left by link without contact") await leaveByLink(addressOf(cell))
}

const mail = (cell: Cell) => ({ to: [addressOf(cell)], topicId: topics[cell.byDefault] })

async function sendAll(of: readonly Cell[] = cells, more: object = {}): Promise<[Cell, string][]> {
  const sent: [Cell, string][] = []
  for (const cell of of) sent.push([cell, (await sendMail(sender, { ...mail(cell), ...more }))[0] ?? ""])
  return sent
}

/** Each cell's one mail: delivered, or suppressed with the reason, the same in delivery, email and event. */
async function expectOutcomes(sent: readonly [Cell, string][]) {
  for (const [cell, id] of sent) {
    const [delivery] = await deliveryRows(id)
    const email = await emailRow(id)
    const ended = cell.gets ? "delivered" : "suppressed"
    expect(
      { emailStatus: email.status, deliveryStatus: delivery.status, suppressed_by: delivery.suppressed_by },
      JSON.stringify(cell),
    ).toEqual({ emailStatus: ended, deliveryStatus: ended, suppressed_by: cell.gets ? null : "topic_opt_out" })
    const suppressions = (await eventRows(id)).filter(({ type }) => type === "suppressed")
    expect(suppressions.map(({ data }) => data.reason)).toEqual(cell.gets ? [] : ["topic_opt_out"])
  }
  expect(reached()).toEqual(expected(sent.map(([cell]) => cell)))
}

const reached = () => server.received.flatMap((line) => /^RCPT TO:<([^>]+)>/.exec(line)?.[1] ?? []).sort()
const expected = (of: readonly Cell[]) =>
  of
    .filter(({ gets }) => gets)
    .map(addressOf)
    .sort()

/** Everybody gets one mail of the topic, so that there is a link to leave by; the states are as they are after it. */
async function bringAll() {
  await sendAll(cells.filter(({ state }) => state === "left by link without contact"))
  await deliverDue(relays)
  for (const cell of cells) await bring(cell)
  await closeRelay()
  await listen()
}

describe("the state of a recipient in the topic of a mail decides at admission", () => {
  test("for one send to each address, without quota for those who are out", async () => {
    await bringAll()
    const before = await usedToday(sender)
    const sent = await sendAll()
    expect((await usedToday(sender)) - before).toBe(cells.filter(({ gets }) => gets).length)
    for (const [{ gets }, id] of sent)
      expect(await emailRow(id)).toMatchObject({ status: gets ? "queued" : "suppressed" })
    await deliverDue(relays)
    await expectOutcomes(sent)
  })

  test("for the items of a batch and for one request to all addresses of a topic", async () => {
    await bringAll()
    const before = await usedToday(sender)
    const items = cells.map((cell) => ({
      from: `Acme <hello@${sender.domain}>`,
      subject: "Hello",
      text: "Hi",
      ...mail(cell),
    }))
    const batch = await api("POST /v1/emails/batch", { key: sender.apiKey, body: { items } })
    const statuses = batch.json.results.map(({ status }: { status: string }) => status)
    expect(statuses).toEqual(cells.map(({ gets }) => (gets ? "queued" : "suppressed")))
    for (const byDefault of ["opt_in", "opt_out"] as const) {
      const of = cells.filter((cell) => cell.byDefault === byDefault)
      const ids = await sendMail(sender, { to: of.map(addressOf), topicId: topics[byDefault] })
      const found = await Promise.all(ids.map(async (id) => (await emailRow(id)).status))
      expect(found).toEqual(of.map(({ gets }) => (gets ? "queued" : "suppressed")))
    }
    expect((await usedToday(sender)) - before).toBe(2 * cells.filter(({ gets }) => gets).length)
  })

  test("for each recipient of one message with cc and bcc by itself", async () => {
    await bringAll()
    const of = cells.filter(({ byDefault }) => byDefault === "opt_out")
    const [to, cc, ...bcc] = of.map(addressOf)
    const [id = ""] = await sendMail(sender, { to: [to], cc: [cc], bcc, topicId: topics.opt_out })
    const deliveries = await deliveryRows(id)
    expect(deliveries.map(({ suppressed_by }) => suppressed_by)).toEqual(
      of.map(({ gets }) => (gets ? null : "topic_opt_out")),
    )
    await deliverDue(relays)
    expect(reached()).toEqual(expected(of))
  })

  test("for the members of a segment; a topic as the recipient goes to explicit opt-ins alone", async () => {
    await bringAll()
    const segment = await newSegment(sender, { all: [{ field: "email", operator: "contains", value: "@x.example" }] })
    for (const byDefault of ["opt_in", "opt_out"] as const) {
      const contacts = cells.filter(({ state }) => !["no contact", "left by link without contact"].includes(state))
      // The contacts of the other topic have no preference of this one: its default decides.
      const getting = contacts.filter((cell) => (cell.byDefault === byDefault ? cell.gets : byDefault === "opt_in"))
      const ids = await sendMail(sender, { to: [segment], topicId: topics[byDefault] })
      expect(await addressesOf(ids)).toEqual(getting.map(addressOf).sort())
      const members = await sendMail(sender, { to: [topics[byDefault]] })
      expect(await addressesOf(members)).toEqual([addressOf({ byDefault, state: "explicit in", gets: true })])
    }
  })
})

async function addressesOf(ids: readonly string[]): Promise<string[]> {
  const rows = await Promise.all(ids.map(deliveryRows))
  return rows
    .flat()
    .map(({ address, status }) => (status === "queued" ? address : status))
    .sort()
}

describe("the state of a recipient in the topic of a mail decides again", () => {
  test("when scheduled mail comes due, whatever it was when the mail was accepted, and costs nothing", async () => {
    const sent = await sendAll(cells, { scheduledAt: new Date(Date.now() + 3600_000).toISOString() })
    for (const cell of cells) await bring(cell)
    await pool().query(
      "UPDATE emails SET due_at = now() - interval '1 second', scheduled_at = now() WHERE project_id = $1",
      [sender.projectId],
    )
    await releaseRound()
    expect(await usedToday(sender)).toBe(cells.filter(({ gets }) => gets).length)
    await deliverDue(relays)
    await expectOutcomes(sent)
  })

  test("when queued mail is sent", async () => {
    const sent = await sendAll()
    for (const cell of cells) await bring(cell)
    await deliverDue(relays)
    await expectOutcomes(sent)
    const [left = ["", ""]] = sent.filter(
      ([{ byDefault, state }]) => byDefault === "opt_in" && state === "explicit out",
    )
    expect(await emailRow(left[1])).toMatchObject({
      reason: "topic_opt_out",
      reason_facts: { topic: "Product news opt_in", byDefault: "opt_in" },
    })
  })

  test("when deferred mail is retried", async () => {
    await closeRelay()
    await listen({ RCPT: "451 4.7.1 greylisted" })
    const sent = await sendAll()
    await deliverDue(relays)
    for (const [, id] of sent) expect(await deliveryRows(id)).toMatchObject([{ status: "sending", attempt_count: 1 }])
    for (const cell of cells) await bring(cell)
    await closeRelay()
    await listen()
    for (const [, id] of sent) await passWait(id)
    await deliverDue(relays)
    await expectOutcomes(sent)
  })

  test("once the topic is deleted: who left it is no longer known, so nobody gets mail that waited, whenever they left", async () => {
    const of = cells.filter(({ state }) => state !== "left by link without contact")
    const scheduled = await sendAll(of, { scheduledAt: new Date(Date.now() + 3600_000).toISOString() })
    const queued = await sendAll(of)
    for (const cell of of) await bring(cell)
    for (const topicId of Object.values(topics)) {
      const path = { ...params(), topicId }
      const { status } = await api("DELETE /v1/projects/{projectId}/topics/{topicId}", {
        key: sender.apiKey,
        params: path,
      })
      expect(status).toBe(204)
    }
    await pool().query(
      "UPDATE emails SET due_at = now() - interval '1 second' WHERE project_id = $1 AND due_at IS NOT NULL",
      [sender.projectId],
    )
    const before = await usedToday(sender)
    await releaseRound()
    expect(await usedToday(sender), "emails counted after the release").toBe(before)
    await deliverDue(relays)
    for (const [cell, id] of [...scheduled, ...queued]) {
      const deliveries = await deliveryRows(id)
      expect(deliveries, JSON.stringify(cell)).toMatchObject([{ status: "suppressed", suppressed_by: "topic_deleted" }])
    }
    expect(reached(), "addresses that got mail").toEqual([])
  })
})
