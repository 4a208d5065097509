import { beforeAll, describe, expect, test } from "vitest"
import { addVerifiedDomain } from "@/e2e/support/examples"
import { expectProblem } from "@/e2e/support/expect-problem"
import { addContacts, newSegment } from "@/e2e/support/segments/audience"
import { api, newWorld, type World } from "@/e2e/support/world"
import { usedToday } from "@/e2e/support/used-today"
import { pool } from "@/lib/platform/database/db"
import { decodeId, encodeId, newId } from "@/lib/platform/ids"

const mail = { from: "Acme <hello@acme.test>", subject: "News", text: "Hi" }

let world: World
let topicId: string
beforeAll(async () => {
  world = await newWorld()
  await addVerifiedDomain(world)
  topicId = await newTopic(world, "opt_in")
})

async function newTopic(of: World, defaultSubscription: string): Promise<string> {
  const { json } = await api("POST /v1/projects/{projectId}/topics", {
    key: of.apiKey,
    params: { projectId: of.project },
    body: { name: newId(), defaultSubscription },
  })
  return json.id
}

const send = (of: World, body: unknown) => api("POST /v1/emails", { key: of.apiKey, body })

/** People of a segment; with a topic, what each says of it. */
async function segmentOf(of: World, count: number, preferences: Record<number, string> = {}, topic = topicId) {
  const tag = newId().slice(-8)
  const emails = Array.from({ length: count }, (_, n) => `p${String(n).padStart(2, "0")}-${tag}@x.example`)
  const ids = await addContacts(
    of,
    emails.map((email) => ({ email })),
  )
  for (const [n, subscription] of Object.entries(preferences)) {
    await pool().query(
      "INSERT INTO topic_preferences (project_id, topic_id, contact_id, subscription) VALUES ($1, $2, $3, $4)",
      [of.projectId, decodeId("top", topic), ids[Number(n)], subscription],
    )
  }
  const segmentId = await newSegment(of, { all: [{ field: "email", operator: "contains", value: tag }] })
  return { segmentId, emails, ids }
}

const suppress = (of: World, email = "") =>
  pool().query("INSERT INTO suppressions (id, project_id, email, reason) VALUES ($1, $2, $3, 'bounce')", [
    newId(),
    of.projectId,
    email,
  ])
const unsubscribe = (id = "") => pool().query("UPDATE contacts SET unsubscribed = true WHERE id = $1", [id])

async function messagesOf(messages: { id: string }[]) {
  const { rows } = await pool().query(
    `SELECT d.address, d.role, e.audience_id, e.topic_id, e.tracking FROM emails e JOIN deliveries d ON d.email_id = e.id
      WHERE e.id = ANY ($1) ORDER BY d.address`,
    [messages.map(({ id }) => decodeId("email", id))],
  )
  return rows
}

describe("a segment as the recipient", () => {
  test("is one message for each member that may be written to, and costs quota for each", async () => {
    const { segmentId, emails, ids } = await segmentOf(world, 5)
    await suppress(world, emails[1])
    await unsubscribe(ids[2])
    const before = await usedToday(world)
    const { status, json } = await send(world, { ...mail, to: [segmentId] })
    expect({
      status,
      jsonStatus: json.status,
      audienceId: json.audienceId,
      messageCount: json.messages.length,
    }).toEqual({ status: 201, jsonStatus: "queued", audienceId: segmentId, messageCount: 3 })
    expect(json.messages.map(({ index, status }: { index: number; status: string }) => [index, status])).toEqual([
      [0, "queued"],
      [1, "queued"],
      [2, "queued"],
    ])
    expect(json.id).toBe(json.messages[0].id)
    const rows = await messagesOf(json.messages)
    expect(rows.map(({ address }) => address)).toEqual([emails[0], emails[3], emails[4]])
    for (const row of rows)
      expect(row).toMatchObject({
        role: "to",
        audience_id: segmentId,
        topic_id: null,
        tracking: { unsubscribeTracking: true },
      })
    expect(await usedToday(world)).toBe(before + 3)
  })

  test("with a topic leaves out who does not get it", async () => {
    const { segmentId, emails } = await segmentOf(world, 3, { 1: "opt_out" })
    const { json } = await send(world, { ...mail, to: segmentId, topicId })
    const rows = await messagesOf(json.messages)
    expect(rows.map(({ address }) => address)).toEqual([emails[0], emails[2]])
    expect(rows[0].topic_id).toBe(decodeId("top", topicId))
  })

  test("of 50 members is sent, of 51 it is 413, and of none that may be written to 422", async () => {
    const own = await newWorld()
    await addVerifiedDomain(own)
    const full = await segmentOf(own, 50)
    const sent = await send(own, { ...mail, to: [full.segmentId] })
    expect({ status: sent.status, messageCount: sent.json.messages.length }).toEqual({ status: 201, messageCount: 50 })
    const over = await segmentOf(own, 51)
    const refused = await send(own, { ...mail, to: [over.segmentId] })
    expectProblem(refused, 413, "email.audience_too_large")
    await suppress(own, over.emails[7])
    expect((await send(own, { ...mail, to: [over.segmentId] })).status).toBe(201)
    const one = await segmentOf(own, 1)
    await unsubscribe(one.ids[0])
    for (const segmentId of [one.segmentId, await newSegment(own)]) {
      const empty = await send(own, { ...mail, to: [segmentId] })
      expectProblem(empty, 422, "email.audience_empty")
    }
  })

  test("that is being built, or whose filter names one that is, is 503 with Retry-After, so that no earlier filter's members get it", async () => {
    const { segmentId } = await segmentOf(world, 2)
    const naming = await newSegment(world, { all: [{ field: "segment", segmentId, operator: "in" }] })
    await pool().query("UPDATE segments SET filter_version = filter_version + 1 WHERE id = $1", [
      decodeId("seg", segmentId),
    ])
    for (const to of [segmentId, naming]) {
      const { status, headers } = await send(world, { ...mail, to: [to] })
      expect({ status, retryAfter: Number(headers.get("retry-after")) }).toEqual({ status: 503, retryAfter: 5 })
    }
  })
})

describe("a topic as the recipient", () => {
  test("means those who opted in themselves, whatever its default, and its messages belong to it", async () => {
    const topic = await newTopic(world, "opt_in")
    const { emails } = await segmentOf(world, 3, { 0: "opt_in", 1: "opt_out" }, topic)
    const { json } = await send(world, { ...mail, to: [topic] })
    expect({ audienceId: json.audienceId, messageCount: json.messages.length }).toEqual({
      audienceId: topic,
      messageCount: 1,
    })
    expect(await messagesOf(json.messages)).toEqual([
      expect.objectContaining({ address: emails[0], topic_id: decodeId("top", topic) }),
    ])
  })
})

describe("an id that is no audience", () => {
  test("foreign, unknown, deleted and never made are the same 400 with the pointer /to/0", async () => {
    const other = await newWorld()
    const deleted = await newSegment(world)
    await api("DELETE /v1/projects/{projectId}/segments/{segmentId}", {
      key: world.apiKey,
      params: { projectId: world.project, segmentId: deleted },
    })
    for (const to of [
      await newSegment(other),
      encodeId("seg", newId()),
      deleted,
      await newTopic(other, "opt_in"),
      encodeId("top", newId()),
    ]) {
      const { status, json } = await send(world, { ...mail, to: [to] })
      expect({ status, errors: json.errors }).toEqual({
        status: 400,
        errors: [{ pointer: "/to/0", detail: `${to} names no topic or segment of this project.` }],
      })
    }
  })

  test("must be the only recipient: with an address, another audience, cc or bcc it is 400 with its pointer", async () => {
    const { segmentId } = await segmentOf(world, 1)
    const both = await send(world, { ...mail, to: ["ada@x.example", segmentId] })
    expect({ status: both.status, pointer: both.json.errors[0].pointer }).toEqual({ status: 400, pointer: "/to/1" })
    for (const more of [
      { to: [segmentId, segmentId] },
      { to: [segmentId], cc: ["ada@x.example"] },
      { to: [segmentId], bcc: ["ada@x.example"] },
    ]) {
      expect((await send(world, { ...mail, ...more })).json.errors[0].pointer).toBe("/to/0")
    }
  })

  test("a topicId that names no topic of this project is 400 with its pointer, and one that does is kept", async () => {
    const refused = await send(world, { ...mail, to: ["ada@x.example"], topicId: encodeId("top", newId()) })
    expect({ status: refused.status, pointer: refused.json.errors[0].pointer }).toEqual({
      status: 400,
      pointer: "/topicId",
    })
    const { json } = await send(world, { ...mail, to: ["ada@x.example"], topicId })
    expect(await messagesOf([json])).toEqual([
      expect.objectContaining({ topic_id: decodeId("top", topicId), tracking: { unsubscribeTracking: true } }),
    ])
  })
})

describe("the same key again", () => {
  test("answers the same messages and audience, whoever is a member by now and whatever else is asked for", async () => {
    const { segmentId, ids } = await segmentOf(world, 3)
    const idempotencyKey = newId()
    const first = await send(world, { ...mail, to: [segmentId], idempotencyKey })
    for (const id of ids) await unsubscribe(id)
    for (const to of [segmentId, "ada@x.example", encodeId("seg", newId())]) {
      const again = await send(world, { ...mail, to: [to], idempotencyKey })
      expect({
        status: again.status,
        idempotentReplayed: again.headers.get("idempotent-replayed"),
        json: again.json,
      }).toEqual({ status: 201, idempotentReplayed: "true", json: first.json })
    }
  })

  test("20 times at once makes one set of messages", async () => {
    const { segmentId } = await segmentOf(world, 4)
    const idempotencyKey = newId()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => send(world, { ...mail, to: [segmentId], idempotencyKey })),
    )
    const ids = new Set(
      answers
        .filter(({ status }) => status === 201)
        .map(({ json }) => JSON.stringify(json.messages.map(({ id }: { id: string }) => id))),
    )
    expect(ids.size).toBe(1)
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true)
    const { rows } = await pool().query(
      "SELECT count(*)::int AS n FROM emails WHERE project_id = $1 AND audience_id = $2",
      [world.projectId, segmentId],
    )
    expect(rows[0].n).toBe(4)
  })
})

test("in a batch each audience is judged on its own and answers with its first message", async () => {
  const { segmentId } = await segmentOf(world, 2)
  const { json } = await api("POST /v1/emails/batch", {
    key: world.apiKey,
    body: {
      items: [
        { ...mail, to: [segmentId] },
        { ...mail, to: [encodeId("seg", newId())] },
        { ...mail, to: [await newSegment(world)] },
      ],
    },
  })
  expect(
    json.results.map(({ status, error = "" }: { status: string; error?: string }) => [status, error.split(":")[0]]),
  ).toEqual([
    ["queued", ""],
    ["rejected", "request.invalid"],
    ["rejected", "email.audience_empty"],
  ])
  expect(json.results[1].problem.errors[0].pointer).toBe("/items/1/to/0")
})
