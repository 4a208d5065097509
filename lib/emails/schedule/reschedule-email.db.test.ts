import { beforeAll, describe, expect, test } from "vitest"
import { addVerifiedDomain } from "@/e2e/support/examples"
import { api, newKey, newWorld, type World } from "@/e2e/support/world"
import { releaseDue } from "@/lib/delivery/scheduling/data"
import { pool } from "@/lib/platform/database/db"
import { decodeId } from "@/lib/platform/ids"

const mail = { from: "hello@acme.test", to: ["ada@lovelace.example"], subject: "Hello", text: "Hi" }
const inHours = (hours: number) => new Date(Date.now() + hours * 3600_000).toISOString()

const send = (world: World, more: object = {}) =>
  api("POST /v1/emails", { key: world.apiKey, body: { ...mail, ...more } })
const reschedule = (world: World, emailId: string, scheduledAt: unknown, key = world.apiKey) =>
  api("PATCH /v1/emails/{emailId}", { key, params: { emailId }, body: { scheduledAt } })

async function newSender(): Promise<World> {
  const world = await newWorld()
  await addVerifiedDomain(world)
  return world
}

describe("PATCH /v1/emails/{emailId}", () => {
  let world: World
  beforeAll(async () => {
    world = await newSender()
  })

  test("a scheduled email leaves at its new time, and its timeline names both", async () => {
    const [first, second] = [inHours(1), inHours(2)]
    const { json: sent } = await send(world, { scheduledAt: first })
    const { status, json } = await reschedule(world, sent.id, second)
    expect(status).toBe(200)
    expect(json).toMatchObject({ id: sent.id, status: "scheduled", scheduledAt: second })
    const timeline = await api("GET /v1/projects/{projectId}/emails/{emailId}/events", {
      key: world.apiKey,
      params: { projectId: world.project, emailId: sent.id },
    })
    expect(timeline.json.items.at(-1)).toMatchObject({
      type: "rescheduled",
      payload: { scheduledAt: second, previously: first, to: "ada@lovelace.example", subject: "Hello" },
    })
    const { rows } = await pool().query("SELECT due_at FROM emails WHERE id = $1", [decodeId("email", sent.id)])
    expect(rows[0].due_at.toISOString()).toBe(second)
  })

  test("each answer of several moves at once has the time that its own request gave", async () => {
    const { json: sent } = await send(world, { scheduledAt: inHours(1) })
    for (let round = 0; round < 20; round++) {
      const times = [2, 3, 4, 5].map((hours) => inHours(hours + round))
      const moved = await Promise.all(times.map((at) => reschedule(world, sent.id, at)))
      expect(
        moved.map(({ json }) => json.scheduledAt),
        "times in the answers",
      ).toEqual(times)
    }
  })

  test("a replay of the send still answers the time that was answered first, however often it was moved", async () => {
    const body = { scheduledAt: inHours(3), idempotencyKey: "moved twice" }
    const { json: sent } = await send(world, body)
    await reschedule(world, sent.id, inHours(5))
    await reschedule(world, sent.id, inHours(7))
    const replay = await send(world, body)
    expect(replay.headers.get("idempotent-replayed")).toBe("true")
    expect(replay.json).toEqual(sent)
    const recovered = await send(world, { ...body, subject: "" })
    expect(recovered.json).toEqual(sent)
  })

  test("a time too near, too far, without offset or `optimal` is 400 on its field, and the email stays", async () => {
    const at = inHours(1)
    const { json: sent } = await send(world, { scheduledAt: at })
    for (const wrong of [new Date().toISOString(), inHours(31 * 24), "2026-12-24T18:00", "optimal", 5, undefined]) {
      const { status, json } = await reschedule(world, sent.id, wrong)
      expect({ status, pointer: json.errors?.[0]?.pointer }).toEqual({ status: 400, pointer: "/scheduledAt" })
    }
    const read = await api("GET /v1/emails/{emailId}", { key: world.apiKey, params: { emailId: sent.id } })
    expect(read.json.scheduledAt).toBe(at)
  })

  test("what is queued or cancelled is 409, what is not there or another project's is 404, a reading key is 403", async () => {
    const { json: queued } = await send(world)
    expect(await reschedule(world, queued.id, inHours(1))).toMatchObject({
      status: 409,
      json: { code: "email.not_reschedulable" },
    })
    const { json: cancelled } = await send(world, { scheduledAt: inHours(1) })
    await api("DELETE /v1/emails/{emailId}", { key: world.apiKey, params: { emailId: cancelled.id } })
    expect((await reschedule(world, cancelled.id, inHours(2))).status).toBe(409)
    const other = await newSender()
    const { json: foreign } = await send(other, { scheduledAt: inHours(1) })
    for (const id of [foreign.id, "email_nonsense"]) {
      expect(await reschedule(world, id, inHours(2))).toMatchObject({ status: 404, json: { code: "email.not_found" } })
    }
    const { apiKey: reader } = await newKey(world.projectId, ["emails:read"])
    expect((await reschedule(world, cancelled.id, inHours(2), reader)).status).toBe(403)
  })

  test("of emails moved, released and cancelled at the same moment each ends in exactly one of the three", async () => {
    const busy = await newSender()
    const ids: string[] = []
    for (let n = 0; n < 30; n++) ids.push((await send(busy, { scheduledAt: inHours(1) })).json.id)
    await pool().query("UPDATE emails SET due_at = now() - interval '1 second' WHERE project_id = $1", [busy.projectId])
    const moves = ids.map((id) => reschedule(busy, id, inHours(9)))
    const cancels = ids.map((emailId) => api("DELETE /v1/emails/{emailId}", { key: busy.apiKey, params: { emailId } }))
    const releases = [releaseDue(busy.projectId), releaseDue(busy.projectId), releaseDue(busy.projectId)]
    const moved = await Promise.all(moves)
    const cancelled = await Promise.all(cancels)
    await Promise.all(releases)
    const { rows } = await pool().query<{ status: string; later: boolean }>(
      "SELECT status, scheduled_at > now() + interval '5 hours' AS later FROM emails WHERE project_id = $1",
      [busy.projectId],
    )
    const count = (status: string) => rows.filter((row) => row.status === status).length
    expect(count("scheduled") + count("queued") + count("cancelled")).toBe(30)
    expect(count("cancelled")).toBe(cancelled.filter(({ status }) => status === 200).length)
    expect(rows.filter(({ later }) => later).length).toBe(moved.filter(({ status }) => status === 200).length)
    // A mail that was moved is never released at its old time.
    expect(rows.filter(({ status, later }) => status === "queued" && later)).toEqual([])
  })
})
