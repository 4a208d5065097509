import { size } from "@/e2e/support/chaos/size"
import { expectProblem } from "@/e2e/support/expect-problem"
import { createParser } from "eventsource-parser"
import { afterAll, describe, expect, test, vi } from "vitest"
import { api, newMember, newWorld, untilServed, type World } from "@/e2e/support/world"
import { pool, transaction } from "@/lib/platform/database/db"
import { newId } from "@/lib/platform/ids"
import { eventsChannel } from "@/lib/stream/data"
import { streamHub } from "@/lib/stream/hub"

// Attacks on the event stream: tokens of others, events of others, frames within frames, streams that outlive their right.

afterAll(() => streamHub().close())

const issue = (world: World, credential: { key?: string; cookie?: string }) =>
  api("POST /v1/emails/{projectId}/stream/token", { ...credential, params: { projectId: world.project } })

async function open(token: string) {
  const { status, response } = await api("GET /v1/emails/stream", { query: { token } })
  const events: { type: string; data: Record<string, string> }[] = []
  const raw: string[] = []
  const state = { ended: false }
  const parser = createParser({ onEvent: ({ data }) => events.push(JSON.parse(data)) })
  const reader = status === 200 ? response.body?.getReader() : undefined
  void (async () => {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
      if (done) break
      const text = new TextDecoder().decode(value)
      raw.push(text)
      parser.feed(text)
    }
    state.ended = true
  })()
  return { status, events, raw: () => raw.join(""), ended: () => state.ended, close: () => reader?.cancel() }
}

/** Writes events and gives them their public order, as the dispatcher does: in one transaction. */
function dispatch(world: World, data: Record<string, string>[]) {
  return transaction(async (client) => {
    const { rows } = await client.query("UPDATE dispatch_state SET last_seq = last_seq + $1 RETURNING last_seq", [
      data.length,
    ])
    const last = BigInt(rows[0].last_seq)
    await client.query(
      `INSERT INTO events (id, project_id, email_id, type, data, seq, occurred_at)
        SELECT id, $1, $2, 'delivered', data, seq, now() FROM unnest($3::uuid[], $4::jsonb[], $5::bigint[]) AS one (id, data, seq)`,
      [
        world.projectId,
        newId(),
        data.map(() => newId()),
        data.map((one) => JSON.stringify(one)),
        data.map((_, index) => last - BigInt(data.length - 1 - index)),
      ],
    )
    await client.query("SELECT pg_notify($1, $2)", [eventsChannel, String(last)])
  })
}

const tokens = size(200, 1_000)

test(`a key creates no token for another project, and of ${tokens} tokens thirty stay valid`, async () => {
  const [world, other] = [await newWorld(), await newWorld()]
  const refused = await issue(other, { key: world.apiKey })
  expectProblem(refused, 403, "auth.project_mismatch")
  const minted = new Set<number>()
  for (let turn = 0; turn < tokens / 50; turn++) {
    for (const { status } of await Promise.all(
      Array.from({ length: 50 }, () => untilServed(() => issue(world, { key: world.apiKey }))),
    ))
      minted.add(status)
  }
  expect([...minted]).toEqual([200])
  const { rows } = await pool().query(
    "SELECT count(*)::int AS n FROM stream_tokens WHERE project_id = $1 AND used_at IS NULL AND expires_at > now()",
    [world.projectId],
  )
  expect(rows[0].n).toBe(30)
})

test("of a thousand events of each of two projects none reaches the other", async () => {
  const [a, b] = [await newWorld(), await newWorld()]
  const [ofA, ofB] = await Promise.all(
    [a, b].map(async (world) => open((await issue(world, { key: world.apiKey })).json.token)),
  )
  if (!ofA || !ofB) throw new Error("There are two streams.")
  for (let at = 0; at < 1_000; at += 100) {
    const events = (mark: string) => Array.from({ length: 100 }, (_, index) => ({ mark, n: String(at + index) }))
    await Promise.all([dispatch(a, events("a")), dispatch(b, events("b"))])
    await vi.waitFor(() => expect([ofA.events.length, ofB.events.length]).toEqual([at + 100, at + 100]), 10_000)
  }
  expect(new Set(ofA.events.map(({ data }) => data.mark))).toEqual(new Set(["a"]))
  expect(new Set(ofB.events.map(({ data }) => data.mark))).toEqual(new Set(["b"]))
  await Promise.all([ofA.close(), ofB.close()])
})

describe("the stream of a person ends within five seconds", () => {
  test.each([
    [
      "when they are no member any more",
      (userId: string) => pool().query("DELETE FROM members WHERE user_id = $1", [userId]),
    ],
    [
      "when they are signed out",
      (userId: string) => pool().query("UPDATE sessions SET revoked_at = now() WHERE user_id = $1", [userId]),
    ],
  ])("%s", async (_, end) => {
    const world = await newWorld()
    const { userId, cookie } = await newMember(world, "viewer")
    const stream = await open((await issue(world, { cookie })).json.token)
    const kept = await open((await issue(world, { key: world.apiKey })).json.token)
    expect({ streamStatus: stream.status, keptStatus: kept.status }).toEqual({ streamStatus: 200, keptStatus: 200 })
    await end(userId)
    await vi.waitFor(() => expect(stream.ended()).toBe(true), 5_500)
    expect(kept.ended()).toBe(false)
    await kept.close()
  })
})

test("no text of an event can start a new line of the stream", async () => {
  const world = await newWorld()
  const stream = await open((await issue(world, { key: world.apiKey })).json.token)
  const texts = [
    'x\n\ndata: {"type":"delivered"}\n\n',
    "x\r\ndata: y\r\n\r\n",
    "x\rdata: y\r\r",
    "x\u2028data: y\u2029",
    "event: evil\nid: 1\nretry: 1\n\n",
    "\u0085data: y",
    ":comment\n\n",
  ]
  await dispatch(
    world,
    texts.map((subject) => ({ subject })),
  )
  await vi.waitFor(() => expect(stream.events).toHaveLength(texts.length), 5_000)
  expect(stream.events.map(({ data }) => data.subject)).toEqual(texts)
  const lines = stream.raw().split("\n")
  expect(lines.filter((line) => line.startsWith("data: "))).toHaveLength(texts.length)
  expect(lines.filter((line) => !/^$|^:|^data: \{[^\n]*\}$/.test(line))).toEqual([])
  expect(stream.raw()).not.toContain("\r")
  await stream.close()
})
