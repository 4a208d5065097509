import { beforeAll, describe, expect, test } from "vitest"
import { api, newKey, newMember, newWorld, type World } from "@/e2e/support/world"
import { pool } from "@/lib/platform/db"

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
      readEngaged: 2,
      deliveryRate: 200 / 300,
      bounceRate: 5 / 300,
      openRate: 95 / 200,
      clickRate: 19 / 200,
      complaintRate: 1 / 200,
      readEngagementRate: 2 / 200,
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
    expect([status, json.errors[0].pointer]).toEqual([400, "query/window"])
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
