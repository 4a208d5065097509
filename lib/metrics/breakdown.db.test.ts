import { beforeAll, describe, expect, test } from "vitest"
import { api, newWorld, type World } from "@/e2e/support/world"
import { pool } from "@/lib/platform/database/db"
import { decodeId } from "@/lib/platform/ids"

const now = new Date("2026-11-21T10:20:30.400Z")
const io = { clock: { now: () => now } }
let world: World

const breakdown = (query: Record<string, string>, key = world.apiKey) =>
  api("GET /v1/metrics/breakdown", { key, query, io })

/** As the dispatcher would count it: by hour and by day. */
async function count(dimension: string, key: string, hour: string, { sent = 0, delivered = 0, opened = 0 }) {
  for (const [grain, at] of [
    ["hour", hour],
    ["day", `${hour.slice(0, 10)}T00:00:00Z`],
  ]) {
    await pool().query(
      `INSERT INTO metric_slices AS h (project_id, dimension, grain, starts_at, key, sent, delivered, opened)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        ON CONFLICT (project_id, dimension, grain, starts_at, key) DO UPDATE SET sent = h.sent + excluded.sent,
          delivered = h.delivered + excluded.delivered, opened = h.opened + excluded.opened`,
      [world.projectId, dimension, grain, at, key, sent, delivered, opened],
    )
  }
}

beforeAll(async () => {
  world = await newWorld()
  await count("provider", "gmail", "2026-11-21T09:00:00Z", { sent: 10, delivered: 8, opened: 4 })
  await count("provider", "gmail", "2026-11-17T09:00:00Z", { sent: 100, delivered: 100 })
  // The first hour of the seven days, and the last before it, on the same day.
  await count("provider", "gmail", "2026-11-14T10:00:00Z", { sent: 1_000 })
  await count("provider", "gmail", "2026-11-14T09:00:00Z", { sent: 10_000 })
  await count("provider", "firma.example", "2026-11-20T09:00:00Z", { sent: 5 })
  await count("provider", "", "2026-11-20T09:00:00Z", { sent: 7 })
})

describe("GET /v1/metrics/breakdown", () => {
  test("sums whole days and the hours at both ends of the window, most mail first", async () => {
    const { status, json } = await breakdown({ by: "provider", compare: "previous" })
    expect(status).toBe(200)
    expect(json).toMatchObject({
      projectId: world.project,
      by: "provider",
      window: { label: "7d", from: "2026-11-14T10:00:00.000Z" },
      data: [
        {
          key: "gmail",
          name: "Gmail",
          reportsComplaints: false,
          sent: 1_110,
          delivered: 108,
          openRate: 4 / 108,
          previous: { sent: 10_000 },
        },
        { key: "firma.example", name: "firma.example", sent: 5, previous: { sent: 0 } },
      ],
      other: { keys: 0, sent: 7, previous: { sent: 0 } },
    })
    expect(json.data[1].reportsComplaints).toBeUndefined()
    expect((await breakdown({ by: "provider" })).json.data[0].previous).toBeUndefined()
  })

  test("any range reads each hour once", async () => {
    const sent = async (from: string, to: string) => (await breakdown({ by: "provider", from, to })).json.data[0]?.sent
    expect(await sent("2026-11-14T09:00:00Z", "2026-11-14T10:00:00Z")).toBe(10_000)
    expect(await sent("2026-11-14T10:00:00Z", "2026-11-14T11:00:00Z")).toBe(1_000)
    expect(await sent("2026-11-14T00:00:00Z", "2026-11-15T00:00:00Z")).toBe(11_000)
    expect(await sent("2026-11-14T10:00:00Z", "2026-11-17T10:00:00Z")).toBe(1_100)
    expect(await sent("2026-11-13T23:00:00Z", "2026-11-18T01:00:00Z")).toBe(11_100)
    expect(await sent("2026-11-15T00:00:00Z", "2026-11-17T00:00:00Z")).toBeUndefined()
  })

  test("shows the fifty with the most mail and the sum of all others", async () => {
    for (let at = 0; at < 60; at++) await count("tag", `kind:${at}`, "2026-11-20T12:00:00Z", { sent: 1_000 - at })
    const { json } = await breakdown({ by: "tag", compare: "previous" })
    expect(json.data).toHaveLength(50)
    expect(json.data[0].key).toBe("kind:0")
    expect(json.data[49].key).toBe("kind:49")
    expect(json.other).toMatchObject({ keys: 10, sent: 9_455, previous: { sent: 0 } })
  })

  test("names topics, deleted ones too", async () => {
    const topic = await api("POST /v1/projects/{projectId}/topics", {
      key: world.apiKey,
      params: { projectId: world.project },
      body: { name: "News", defaultSubscription: "opt_in" },
    })
    const gone = "01900000-0000-7000-8000-000000000001"
    await count("topic", decodeId("top", topic.json.id) ?? "", "2026-11-20T12:00:00Z", { sent: 2 })
    await count("topic", gone, "2026-11-20T12:00:00Z", { sent: 1 })
    const { data } = (await breakdown({ by: "topic" })).json
    expect(data.map(({ key, name }: { key: string; name: string }) => [key, name])).toEqual([
      [topic.json.id, "News"],
      [expect.stringMatching(/^top_/), "Deleted topic"],
    ])
  })

  test("a project without mail has no rows", async () => {
    const { json } = await breakdown({ by: "domain" }, (await newWorld()).apiKey)
    expect({ data: json.data, other: json.other }).toEqual({ data: [], other: undefined })
  })

  test("needs to know by what", async () => {
    expect((await breakdown({})).json.errors[0].pointer).toBe("query/by")
    expect((await breakdown({ by: "project_id; drop table emails" })).status).toBe(400)
  })
})

describe("the figures of one sending domain", () => {
  test("are those of its slice, in the summary and by hour and day", async () => {
    await count("domain", "acme.test", "2026-11-20T12:00:00Z", { sent: 40, delivered: 30 })
    await count("domain", "acme.test", "2026-11-14T10:00:00Z", { sent: 2 })
    await count("domain", "acme.test", "2026-11-14T08:00:00Z", { sent: 500 })
    await count("domain", "news.acme.test", "2026-11-20T12:00:00Z", { sent: 9 })
    const ask = async (path: "summary" | "timeline", query: Record<string, string> = {}) =>
      (await api(`GET /v1/metrics/${path}`, { key: world.apiKey, query: { domain: "Acme.test", ...query }, io })).json
    expect(await ask("summary", { compare: "previous" })).toMatchObject({
      sent: 42,
      delivered: 30,
      previous: { sent: 500 },
    })
    const sent = ({ buckets }: { buckets: { sent: number }[] }) => buckets.map((bucket) => bucket.sent)
    expect(sent(await ask("timeline"))).toEqual([2, 0, 0, 0, 0, 0, 40, 0])
    const hours = sent(await ask("timeline", { from: "2026-11-20T11:00:00Z", to: "2026-11-20T14:00:00Z" }))
    expect(hours).toEqual([0, 40, 0])
    expect((await ask("summary", { domain: "unknown.test" })).sent).toBe(0)
  })
})
