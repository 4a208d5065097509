import { beforeAll, describe, expect, test } from "vitest"
import { api, newKey, newMember, newWorld, type World } from "@/e2e/support/world"
import { pool } from "@/lib/platform/database/db"

const now = new Date("2026-11-21T10:20:30.400Z")
const io = { clock: { now: () => now } }
let world: World

beforeAll(async () => {
  world = await newWorld()
  const insert = (hour: string, counts: Record<string, number>) =>
    pool().query(
      `INSERT INTO metric_hours (project_id, hour, ${Object.keys(counts).join(", ")})
        VALUES ($1, $2, ${Object.keys(counts)
          .map((_, index) => `$${index + 3}`)
          .join(", ")})`,
      [world.projectId, hour, ...Object.values(counts)],
    )
  await insert("2026-11-21T10:00:00Z", {
    sent: 200,
    delivered: 190,
    bounced: 5,
    failed: 5,
    opened: 95,
    clicked: 19,
    complained: 1,
  })
  await insert("2026-11-20T10:00:00Z", {
    sent: 100,
    delivered: 10,
    unsubscribed: 3,
    read_engaged: 2,
    machine_opens: 50,
  })
  await insert("2026-11-20T09:00:00Z", { sent: 1_000 })
  await insert("2026-08-23T10:00:00Z", { sent: 7 })
  await insert("2026-08-23T09:00:00Z", { sent: 1 })
})

const summary = (query: Record<string, string> = {}, key = world.apiKey) =>
  api("GET /v1/metrics/summary", { key, query, io })

describe("GET /v1/metrics/summary", () => {
  test("counts the window and gives rates as fractions of sent and of delivered", async () => {
    const { status, json, headers } = await summary({ window: "24h" })
    expect(status).toBe(200)
    expect(json).toEqual({
      projectId: world.project,
      window: { label: "24h", from: "2026-11-20T10:00:00.000Z", to: "2026-11-21T10:20:30.400Z" },
      sent: 300,
      delivered: 200,
      bounced: 5,
      complained: 1,
      opened: 95,
      clicked: 19,
      unsubscribed: 3,
      failed: 5,
      deliveryReported: true,
      deliveryNotReported: 0,
      awaitingReport: 0,
      readEngaged: 2,
      deliveryRate: 200 / 300,
      bounceRate: 5 / 300,
      openRate: 95 / 200,
      clickRate: 19 / 200,
      complaintRate: 1 / 200,
      readEngagementRate: 2 / 200,
      unsubscribeRate: 3 / 200,
      deferred: 0,
      deliveryDelayed: 0,
      machineOpens: 50,
      openedByAnyone: 0,
    })
    expect(headers.get("x-ratelimit-limit")).toBe("120")
  })

  test("seven days are the default, and each window holds its own hours", async () => {
    expect((await summary()).json).toMatchObject({ window: { label: "7d" }, sent: 1_300 })
    expect((await summary({ window: "30d" })).json.sent).toBe(1_300)
    expect((await summary({ window: "90d" })).json.sent).toBe(1_307)
  })

  test("a project without mail has rates of 0", async () => {
    const { json } = await summary({}, (await newWorld()).apiKey)
    for (const rate of ["deliveryRate", "bounceRate", "openRate", "clickRate", "complaintRate", "readEngagementRate"])
      expect(json[rate]).toBe(0)
  })

  test("another window is 400 with its pointer", async () => {
    const { status, json } = await summary({ window: "1y" })
    expect({ status, pointer: json.errors[0].pointer }).toEqual({ status: 400, pointer: "query/window" })
  })

  test("a key means its own project whatever the query says; a person names one of theirs", async () => {
    const other = await newWorld()
    expect((await summary({ projectId: other.project })).json.projectId).toBe(world.project)
    const { cookie } = await newMember(world, "viewer")
    const asked = (projectId: string) => api("GET /v1/metrics/summary", { cookie, query: { projectId }, io })
    expect((await asked(world.project)).json.sent).toBe(1_300)
    expect((await asked(other.project)).status).toBe(404)
  })

  test("any one of three permissions is enough, others are 403", async () => {
    for (const permission of ["emails:send", "emails:read", "metrics:read"] as const) {
      expect((await summary({}, (await newKey(world.projectId, [permission])).apiKey)).status).toBe(200)
    }
    expect((await summary({}, (await newKey(world.projectId, ["domains:read"])).apiKey)).status).toBe(403)
  })
})

describe("GET /v1/metrics/summary?compare=previous", () => {
  test("adds the window of the same length before, which ends where this one begins", async () => {
    const { json } = await summary({ window: "24h", compare: "previous" })
    expect(json).toMatchObject({
      sent: 300,
      previous: { from: "2026-11-19T10:00:00.000Z", to: "2026-11-20T09:59:59.999Z", sent: 1_000 },
    })
    expect((await summary({ window: "24h" })).json.previous).toBeUndefined()
  })
})

describe("GET /v1/metrics/timeline", () => {
  const timeline = async (query: Record<string, string> = {}, key = world.apiKey) =>
    api("GET /v1/metrics/timeline", { key, query, io })

  test("has every day of the window, those without mail too, and its totals are those of the summary", async () => {
    const { status, json } = await timeline()
    expect(status).toBe(200)
    expect(json).toMatchObject({
      projectId: world.project,
      granularity: "day",
      format: "detailed",
      window: { label: "7d" },
    })
    expect(json.buckets.map(({ bucket, sent }: { bucket: string; sent: number }) => [bucket, sent])).toEqual([
      ["2026-11-14T00:00:00.000Z", 0],
      ["2026-11-15T00:00:00.000Z", 0],
      ["2026-11-16T00:00:00.000Z", 0],
      ["2026-11-17T00:00:00.000Z", 0],
      ["2026-11-18T00:00:00.000Z", 0],
      ["2026-11-19T00:00:00.000Z", 0],
      ["2026-11-20T00:00:00.000Z", 1_100],
      ["2026-11-21T00:00:00.000Z", 200],
    ])
    const { projectId: _, window: __, ...same } = (await summary()).json
    expect(json.totals).toMatchObject(same)
    expect(json.totals.peakBucket).toBe("2026-11-20T00:00:00.000Z")
  })

  test("each bucket but the first says how it differs from the one before; compact leaves that out", async () => {
    const [first, ...others] = (await timeline()).json.buckets
    expect({ sentDelta: first.sentDelta, openRateDelta: first.openRateDelta }).toEqual({
      sentDelta: undefined,
      openRateDelta: undefined,
    })
    expect(others.map(({ sentDelta }: { sentDelta: number }) => sentDelta)).toEqual([0, 0, 0, 0, 0, 1_100, -900])
    expect(others.at(-1)).toMatchObject({ deliveredDelta: 180, openRateDelta: 95 / 190, bounceRateDelta: 5 / 200 })
    const compact = (await timeline({ format: "compact" })).json
    expect(compact.format).toBe("compact")
    expect(JSON.stringify(compact)).not.toContain("Delta")
  })

  test("a day is told by hours, from the window's first to the one that runs", async () => {
    const { json } = await timeline({ window: "24h" })
    expect(json.granularity).toBe("hour")
    expect(json.buckets).toHaveLength(25)
    expect(json.buckets[0].bucket).toBe("2026-11-20T10:00:00.000Z")
    expect(json.buckets[24].bucket).toBe("2026-11-21T10:00:00.000Z")
    expect(json.buckets[24]).toMatchObject({ sent: 200, engagementScore: 24 })
    expect((await timeline({ window: "24h", granularity: "day" })).json.buckets).toHaveLength(2)
  })

  test("a project without mail has buckets and totals of 0 and no peak", async () => {
    const { json } = await timeline({}, (await newWorld()).apiKey)
    expect(json.totals).toMatchObject({ sent: 0, deliveryRate: 0, avgEngagementScore: 0 })
    expect(json.totals.peakBucket).toBeUndefined()
  })

  test("another granularity is 400 with its pointer", async () => {
    const { status, json } = await timeline({ granularity: "week" })
    expect({ status, pointer: json.errors[0].pointer }).toEqual({ status: 400, pointer: "query/granularity" })
  })
})

describe("a range of one's own", () => {
  const from = "2026-11-20T09:30:00Z"

  test("begins with the hour of `from`, ends before `to`, and is compared with as many hours before", async () => {
    const { status, json } = await summary({ from, to: "2026-11-20T10:00:00Z", compare: "previous" })
    expect(status).toBe(200)
    expect(json).toMatchObject({
      window: { label: "custom", from: "2026-11-20T09:00:00.000Z", to: "2026-11-20T10:00:00.000Z" },
      sent: 1_000,
      previous: { from: "2026-11-20T08:00:00.000Z", to: "2026-11-20T08:59:59.999Z", sent: 0 },
    })
    expect((await summary({ from, to: "2026-11-20T10:01:00Z" })).json.sent).toBe(1_100)
    expect((await summary({ from })).json).toMatchObject({ sent: 1_300, window: { to: now.toISOString() } })
  })

  test("a timeline of it is by hour up to two days if nobody says, and may be by hour up to eight", async () => {
    const timeline = async (query: Record<string, string>) =>
      (await api("GET /v1/metrics/timeline", { key: world.apiKey, query, io })).json
    const short = await timeline({ from, to: "2026-11-20T12:00:00Z" })
    expect({ granularity: short.granularity, bucketCount: short.buckets.length }).toEqual({
      granularity: "hour",
      bucketCount: 3,
    })
    expect((await timeline({ from: "2026-11-18T00:00:00Z" })).granularity).toBe("day")
    const eight = { from: "2026-11-01T00:00:00Z", to: "2026-11-09T00:00:00Z", granularity: "hour" }
    expect((await timeline(eight)).buckets).toHaveLength(8 * 24)
    const nine = await timeline({ ...eight, to: "2026-11-09T01:00:00Z" })
    expect({ status: nine.status, pointer: nine.errors[0].pointer }).toEqual({
      status: 400,
      pointer: "query/granularity",
    })
    expect((await timeline({ ...eight, to: "2026-11-09T01:00:00Z", granularity: "day" })).buckets).toHaveLength(9)
  })

  test.each([
    ["an end without a start", { to: from }, "query/from"],
    ["a start in the future", { from: "2026-11-21T11:00:00Z" }, "query/from"],
    ["an end before the start", { from, to: "2026-11-20T08:00:00Z" }, "query/from"],
    ["more than 400 days", { from: "2025-10-17T00:00:00Z" }, "query/from"],
    ["the year 1", { from: "0001-01-01T00:00:00Z" }, "query/from"],
    ["no time at all", { from: "yesterday" }, "query/from"],
  ])("%s is 400", async (_, query, pointer) => {
    const { status, json } = await summary(query)
    expect({ status, pointer: json.errors?.[0]?.pointer }).toEqual({ status: 400, pointer })
  })

  test("400 days are allowed", async () => {
    expect((await summary({ from: "2025-10-18T00:00:00Z", to: "2026-11-21T10:00:00Z" })).json.sent).toBe(1_108)
  })
})
