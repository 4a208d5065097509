import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { stackOf, type MetricsBreakdown, type MetricsTimeline, type Summary } from "@/components/metrics/chart"
import { figuresCsv } from "@/components/metrics/figures-csv"
import { ratesFor, shareOf, shareText } from "@/components/metrics/rates"
import { api, newWorld } from "@/e2e/support/world"
import { createRelays } from "@/lib/delivery/regions/relays"
import { faultServer, type FaultServer } from "@/e2e/support/delivery/fault-server"
import { deliverDue, deliveryRows, eventRows, newSending, sendMail, type Sending } from "@/e2e/support/delivery/sending"
import { pool } from "@/lib/platform/database/db"
import { provideEnv } from "@/lib/platform/env/env"
import { decodeId, newId } from "@/lib/platform/ids"
import { dispatchAll } from "@/lib/worker/dispatcher"

let server: FaultServer
const region = "eu-west-1"

beforeAll(async () => {
  server = await faultServer({
    RCPT: () => refusals.find(([of]) => server.received.at(-1)?.includes(of))?.[1] ?? "250 2.1.5 ok",
  })
})
afterAll(() => server.close())

const refusals = [
  ["<gone", "550 5.1.1 no such user"],
  ["<strict", "550 5.7.1 this message looks like spam"],
] as const

/** Sends to these through a real SMTP session, as the setting of the region is now. */
async function send(sender: Sending, delivered: string, to: readonly string[], body: Record<string, unknown> = {}) {
  const url = `smtp://127.0.0.1:${server.port}?tls=none&delivered=${delivered}`
  provideEnv({ SMTP_URL: url })
  const relays = createRelays()
  const ids: string[] = []
  for (const address of to) ids.push(...(await sendMail(sender, { to: [address], ...body })))
  await deliverDue(relays, { region })
  await relays.close()
  await dispatchAll()
  return ids
}

async function happen(emailId: string, type: string, data: object = {}) {
  await pool().query(
    `INSERT INTO events (id, project_id, email_id, delivery_id, type, data)
      SELECT $2, project_id, email_id, id, $3, $4 FROM deliveries WHERE email_id = $1`,
    [emailId, newId(), type, data],
  )
}

const people = (count: number, name = "reader") => Array.from({ length: count }, (_, at) => `${name}${at}@x.example`)
const read = async (sender: Sending, query: Record<string, string> = {}) =>
  (await api("GET /v1/metrics/summary", { key: sender.apiKey, query })).json as Summary
const shown = (summary: Summary) =>
  Object.fromEntries(ratesFor(summary).map((rate) => [rate.label, shareText(shareOf(rate, summary))]))

describe("where the relay reports nothing further", () => {
  let sender: Sending
  let ids: string[]
  beforeAll(async () => {
    sender = await newSending()
    ids = await send(sender, "never", [...people(21), "gone@x.example"], { tags: { kind: "receipt" } })
  })

  test("22 sent, 21 of them without a report and 1 bounced, are shown as that and none as not delivered", async () => {
    const summary = await read(sender)
    expect(summary).toMatchObject({ sent: 22, delivered: 0, bounced: 1, failed: 0 })
    expect(summary).toMatchObject({ deliveryReported: false, deliveryNotReported: 21, bounceRate: 1 / 22 })
    expect(stackOf(summary)).toEqual({ first: 0, deferred: 0, bounced: 1, unreported: 21, awaited: 0, other: 0 })
    expect(shown(summary)).toMatchObject({
      Delivered: "–",
      "Delivery not reported": "95.45%",
      "Hard bounces": "4.55%",
      Opened: "0.00%",
    })
  })

  test("opens and clicks are rates of what was sent, in every answer", async () => {
    for (const id of ids.slice(0, 11)) await happen(id, "opened")
    await dispatchAll()
    expect(await read(sender)).toMatchObject({ openRate: 0.5, deliveryReported: false })
    const { json } = await api("GET /v1/metrics/timeline", { key: sender.apiKey, query: {} })
    const timeline = json as MetricsTimeline
    expect(timeline.totals).toMatchObject({ openRate: 0.5, deliveryNotReported: 21, avgEngagementScore: 20 })
    for (const by of ["domain", "provider", "tag"] as const) {
      const breakdown = (await api("GET /v1/metrics/breakdown", { key: sender.apiKey, query: { by } }))
        .json as MetricsBreakdown
      expect(breakdown.data, by).toMatchObject([{ sent: 22, deliveryNotReported: 21, openRate: 0.5 }])
      const csv = figuresCsv({ summary: await read(sender), timeline, breakdowns: [breakdown] })
      expect(csv.split("\r\n").at(-2), by).toContain('"22","0","0","1","0","11","0","0","21"')
    }
  })

  test("an email ends at sent, which its delivery and its event say", async () => {
    const [delivery] = await deliveryRows(ids[20] ?? "")
    expect(delivery).toMatchObject({ status: "sent", due_at: null, ended_at: expect.any(Date), delivered_at: null })
    const sent = (await eventRows(ids[20] ?? "")).find(({ type }) => type === "sent")
    expect(sent?.data).toMatchObject({ deliveryReported: "false" })
  })
})

describe("where delivery is reported of a part, because the setting changed or another region has another", () => {
  let sender: Sending
  let later: string
  beforeAll(async () => {
    sender = await newSending()
    await send(sender, "accept", [...people(10), "gone@x.example", "strict@x.example"])
    const [first = ""] = await send(sender, "never", [...people(7, "later"), "gone2@x.example"])
    later = first
    await send(sender, "accept", people(3, "last"))
  })

  test("each email counts as it was when it was handed over, and the parts add up to what was sent", async () => {
    const summary = await read(sender)
    expect(summary).toMatchObject({ sent: 23, delivered: 13, bounced: 2, deliveryNotReported: 7 })
    // What was refused for its content is known to have failed.
    expect(stackOf(summary)).toEqual({ first: 13, deferred: 0, bounced: 2, unreported: 7, awaited: 0, other: 1 })
    const parts = Object.values(stackOf(summary)).reduce((sum, part) => sum + part, 0)
    expect(parts).toBe(summary.sent)
    expect(shown(summary)).toMatchObject({
      ...{ Delivered: "–", "Delivery not reported": "30.43%", "Hard bounces": "8.70%" },
    })
  })

  test("news that comes nevertheless takes its part of what was not reported", async () => {
    await happen(later, "bounced", { bounceType: "hard" })
    await dispatchAll()
    const summary = await read(sender)
    expect(summary).toMatchObject({ sent: 23, bounced: 3, deliveryReported: false })
    expect(Object.values(stackOf(summary)).reduce((sum, part) => sum + part, 0)).toBe(23)
  })
})

test("where delivery is reported nothing changes", async () => {
  const sender = await newSending()
  await send(sender, "accept", [...people(3), "gone@x.example"])
  expect(await read(sender)).toMatchObject({ sent: 4, delivered: 3, deliveryReported: true, deliveryNotReported: 0 })
  expect(Object.keys(shown(await read(sender)))).not.toContain("Delivery not reported")
})

test("figures of earlier releases follow: a day on which nothing of a project was reported as delivered", async () => {
  const world = await newWorld()
  const topic = await api("POST /v1/projects/{projectId}/topics", {
    key: world.apiKey,
    params: { projectId: world.project },
    body: { name: "News", defaultSubscription: "opt_in" },
  })
  const topicId = decodeId("top", topic.json.id)
  const hour = (at: string, sent: number, delivered: number, bounced: number) =>
    pool().query(
      `WITH topic AS (INSERT INTO topic_hours (project_id, topic_id, hour, sent, delivered, bounced) VALUES ($1, $6, $2, $3, 0, $5))
        INSERT INTO metric_hours (project_id, hour, sent, delivered, bounced) VALUES ($1, $2, $3, $4, $5)`,
      [world.projectId, at, sent, delivered, bounced, topicId],
    )
  await hour("2026-10-01T10:00:00Z", 20, 0, 1)
  await hour("2026-10-02T10:00:00Z", 20, 19, 1)
  await hour("2026-10-02T11:00:00Z", 1, 0, 0)
  const migration = readFileSync(join("prisma", "migrations", "0025_unreported", "migration.sql"), "utf8")
  // As it is sent: each statement by itself, and once more as after a failure half way.
  for (const statement of [...migration.split(/;$/m), ...migration.split(/;$/m)])
    if (statement.trim()) await pool().query(statement)
  const kept = async (table: string) =>
    (await pool().query(`SELECT unreported FROM ${table} WHERE project_id = $1 ORDER BY hour`, [world.projectId])).rows
  const expected = [{ unreported: 19 }, { unreported: 0 }, { unreported: 0 }]
  expect(await kept("metric_hours")).toEqual(expected)
  expect(await kept("topic_hours")).toEqual(expected)
})
