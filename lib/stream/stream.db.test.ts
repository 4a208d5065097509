import { setTimeout as wait } from "node:timers/promises"
import { afterAll, describe, expect, test, vi } from "vitest"
import { createParser } from "eventsource-parser"
import { api, newKey, newMember, newSession, newWorld, type World } from "@/e2e/support/world"
import { sha256 } from "@/lib/platform/crypto"
import { pool } from "@/lib/platform/database/db"
import { encodeId, newId } from "@/lib/platform/ids"
import type { Scope } from "@/lib/platform/http/scope"
import { anHourAhead, isDatabaseTime } from "@/e2e/support/platform/clocks"
import { streamHub } from "@/lib/stream/hub"
import { addToken, eventsChannel, redeemToken, seqOf } from "@/lib/stream/data"

afterAll(() => streamHub().close())

/** Writes events and gives them their public order, as the dispatcher does; `quietly`, so that nobody reads them yet. */
async function dispatch(
  world: World,
  events: { type?: string; data?: Record<string, string> }[],
  { quietly = false } = {},
) {
  const client = await pool().connect()
  try {
    await client.query("BEGIN")
    const { rows } = await client.query("UPDATE dispatch_state SET last_seq = last_seq + $1 RETURNING last_seq", [
      events.length,
    ])
    const last = BigInt(rows[0].last_seq)
    for (const [index, event] of events.entries()) {
      await client.query(
        "INSERT INTO events (id, project_id, email_id, type, data, seq, occurred_at) VALUES ($1, $2, $3, $4, $5, $6, now())",
        [
          newId(),
          world.projectId,
          newId(),
          event.type ?? "delivered",
          event.data ?? { to: "a@x.example" },
          last - BigInt(events.length - 1 - index),
        ],
      )
    }
    if (!quietly) await client.query("SELECT pg_notify($1, $2)", [eventsChannel, String(last)])
    await client.query("COMMIT")
  } finally {
    client.release()
  }
}

async function lastEventOf({ projectId }: World): Promise<string> {
  const { rows } = await pool().query("SELECT id FROM events WHERE project_id = $1 ORDER BY seq DESC LIMIT 1", [
    projectId,
  ])
  return encodeId("evt", rows[0].id)
}

async function tokenFor(world: World, key = world.apiKey): Promise<string> {
  const { status, json } = await api("POST /v1/emails/{projectId}/stream/token", {
    key,
    params: { projectId: world.project },
  })
  expect(status).toBe(200)
  return json.token
}

type Event = { id: string; type: string; emailId: string; occurredAt: string; data: Record<string, string> }

async function open(token: string, after?: string) {
  const { status, response, json } = await api("GET /v1/emails/stream", {
    query: after !== undefined ? { token, after } : { token },
  })
  const events: Event[] = []
  let text = ""
  let ended = false
  const parser = createParser({ onEvent: ({ data }) => events.push(JSON.parse(data)) })
  const reader = status === 200 ? response.body?.getReader() : undefined
  void (async () => {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
      if (done) break
      const chunk = new TextDecoder().decode(value)
      text += chunk
      parser.feed(chunk)
    }
    ended = true
  })()
  return { status, json, events, text: () => text, ended: () => ended, close: () => reader?.cancel() }
}

describe("the event stream", () => {
  test("events of the project arrive in their public order, each as one data line; other types and projects do not", async () => {
    const [world, other] = [await newWorld(), await newWorld()]
    const stream = await open(await tokenFor(world))
    expect(stream.status).toBe(200)
    await dispatch(other, [{ data: { to: "secret@x.example" } }])
    await dispatch(world, [
      { type: "sent" },
      { type: "queued" },
      { type: "delivered", data: { subject: 'x\n\ndata: {"type":"y"}\u2028' } },
    ])
    await vi.waitFor(() => expect(stream.events.map(({ type }) => type)).toEqual(["sent", "delivered"]), 5_000)
    expect(stream.text()).not.toContain("secret")
    for (const line of stream.text().split("\n\n").filter(Boolean)) expect(line).toMatch(/^(: ?|:|data: \{[^\n]*\})$/)
    await stream.close()
  })

  test("of 50 parallel connects with one token exactly one gets a stream, the others 401 with one text", async () => {
    const world = await newWorld()
    const token = await tokenFor(world)
    const all = await Promise.all(Array.from({ length: 50 }, () => open(token)))
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1)
    const refusals = [...all.filter(({ status }) => status === 401), await open("unknown"), await open("x".repeat(100))]
    expect(new Set(refusals.map(({ json }) => `${json.code} ${json.detail}`)).size).toBe(1)
    await Promise.all(all.map(({ close }) => close()))
  })

  test("a token older than 60 seconds is dead, by the database's clock", async () => {
    const world = await newWorld()
    const [fresh, old] = [await tokenFor(world), await tokenFor(world)]
    const age = (token: string, seconds: number) =>
      pool().query(
        "UPDATE stream_tokens SET expires_at = expires_at - make_interval(secs => $2) WHERE token_hash = $1",
        [sha256(token), seconds],
      )
    await age(fresh, 55)
    await age(old, 61)
    const [a, b] = [await open(fresh), await open(old)]
    expect({ aStatus: a.status, bStatus: b.status }).toEqual({ aStatus: 200, bStatus: 401 })
    await a.close()
  })

  test("the 31st live token ends the oldest", async () => {
    const world = await newWorld()
    const tokens: string[] = []
    for (let i = 0; i < 31; i++) tokens.push(await tokenFor(world))
    const [first, second] = [await open(tokens[0] ?? ""), await open(tokens[1] ?? "")]
    expect({ firstStatus: first.status, secondStatus: second.status }).toEqual({ firstStatus: 401, secondStatus: 200 })
    await second.close()
  })

  test("the newest 50 events are listed oldest first, and a stream after the last of them begins where they end", async () => {
    const world = await newWorld()
    const listed = async () =>
      (await api("GET /v1/projects/{projectId}/events", { key: world.apiKey, params: { projectId: world.project } }))
        .json.data as Event[]
    expect(await listed()).toEqual([])
    await dispatch(world, [{ type: "queued" }, ...Array.from({ length: 53 }, (_, n) => ({ data: { n: String(n) } }))])
    const recent = await listed()
    expect(recent.map(({ data }) => Number(data.n))).toEqual(Array.from({ length: 50 }, (_, n) => n + 3))
    await dispatch(world, [{ data: { n: "next" } }])
    const { events } = await open(await tokenFor(world), recent.at(-1)?.id)
    await vi.waitFor(() => expect(events.map(({ data }) => data.n)).toEqual(["next"]))
  })

  test("`after` goes on from the last event that was seen and misses nothing", async () => {
    const world = await newWorld()
    const stream = await open(await tokenFor(world))
    await dispatch(world, [{}, {}, {}])
    await vi.waitFor(() => expect(stream.events).toHaveLength(3), 5_000)
    await stream.close()
    await dispatch(world, [{ type: "opened" }])
    const resumed = await open(await tokenFor(world), stream.events[0]?.id)
    await dispatch(world, [{ type: "clicked" }])
    await vi.waitFor(
      () => expect(resumed.events.map(({ type }) => type)).toEqual(["delivered", "delivered", "opened", "clicked"]),
      5_000,
    )
    await resumed.close()
  })

  test("a stream that goes on behind an event which its process has not read yet sees nothing twice", async () => {
    const [world, other] = [await newWorld(), await newWorld()]
    const beside = await open(await tokenFor(other))
    for (let round = 0; round < 3; round++) {
      const token = await tokenFor(world)
      await dispatch(world, [{ type: "sent" }, { type: "delivered" }], { quietly: true })
      const resumed = await open(token, await lastEventOf(world))
      await dispatch(world, [{ type: "clicked" }])
      await vi.waitFor(() => expect(resumed.events.map(({ type }) => type)).toContain("clicked"))
      expect(resumed.events.map(({ type }) => type)).toEqual(["clicked"])
      await resumed.close()
    }
    await beside.close()
  })

  test("a stream that begins while its process reads events of others misses none", async () => {
    const [world, other] = [await newWorld(), await newWorld()]
    const beside = await open(await tokenFor(other))
    const token = await tokenFor(world)
    await dispatch(world, [{ type: "sent" }])
    const last = await lastEventOf(world)
    await dispatch(other, [{}])
    await vi.waitFor(() => expect(beside.events).toHaveLength(1))

    const query = pool().query.bind(pool()) as (...args: unknown[]) => Promise<unknown>
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    const slow = vi.spyOn(pool(), "query").mockImplementation((async (...args: unknown[]) => {
      const found = await query(...args)
      if ((args[0] as { name?: string }).name !== "stream.read_events") return found
      slow.mockRestore()
      await released
      return found
    }) as never)
    await dispatch(world, [{ type: "opened" }], { quietly: true })
    await dispatch(other, [{}])
    await vi.waitFor(() => expect(vi.isMockFunction(pool().query)).toBe(false))
    const resumed = await open(token, last)
    await wait(200)
    release()
    await dispatch(world, [{ type: "clicked" }])
    await vi.waitFor(() => expect(resumed.events.map(({ type }) => type)).toEqual(["opened", "clicked"]))
    await Promise.all([resumed.close(), beside.close()])
  })

  test("`after` that is no event id is 400 `query/after` and leaves the token unused", async () => {
    const token = await tokenFor(await newWorld())
    for (const after of ["", "nonsense", "evt_", `email_${"0".repeat(26)}`, `evt_${"z".repeat(26)}`]) {
      const { status, json } = await open(token, after)
      expect({ status, pointer: json?.errors?.[0]?.pointer }, after).toEqual({ status: 400, pointer: "query/after" })
    }
    const stream = await open(token)
    expect(stream.status).toBe(200)
    await stream.close()
  })

  test("`after` that is not stored goes on from the time in it", async () => {
    const world = await newWorld()
    await dispatch(world, [{ type: "sent" }])
    await wait(5)
    const lost = encodeId("evt", newId())
    await wait(5)
    await dispatch(world, [{ type: "opened" }])
    const stream = await open(await tokenFor(world), lost)
    await dispatch(world, [{ type: "clicked" }])
    await vi.waitFor(() => expect(stream.events.map(({ type }) => type)).toEqual(["opened", "clicked"]), 5_000)
    const late = await open(await tokenFor(world), encodeId("evt", newId()))
    await dispatch(world, [{ type: "complained" }])
    await vi.waitFor(() => expect(late.events.map(({ type }) => type)).toEqual(["complained"]), 5_000)
    await Promise.all([stream.close(), late.close()])
  })

  test("the place of an event that is not stored is found among the project's own, however far apart their numbers are", async () => {
    const [world, other] = [await newWorld(), await newWorld()]
    const far = 10n ** 11n
    const add = async (seq: bigint, projectId = world.projectId, id = newId()) => {
      await pool().query(
        "INSERT INTO events (id, project_id, email_id, type, data, seq, occurred_at) VALUES ($1, $2, $2, 'sent', '{}', $3, now())",
        [id, projectId, seq],
      )
      return id
    }
    expect(await seqOf(world.projectId, newId())).toBeNull()
    await add(5n)
    const late = newId()
    await wait(2)
    const lost = newId()
    await add(1n, other.projectId)
    await add(7n)
    await add(far + 3n, world.projectId, late)
    const last = await add(far + 4n)
    expect(await seqOf(world.projectId, lost), "also where one of later was numbered sooner").toBe(6n)
    expect(await seqOf(world.projectId, last)).toBe(far + 4n)
    await wait(2)
    expect(await seqOf(world.projectId, newId())).toBeNull()
    for (let place = 1n; place <= 50n; place++) await add(far * 2n + place * place)
    await wait(2)
    const between = newId()
    await wait(2)
    await add(far * 30n)
    expect(await seqOf(world.projectId, between)).toBe(far * 30n - 1n)
  })

  test("who comes back to thousands of events gets each once and in order, also those that happen meanwhile", async () => {
    const world = await newWorld()
    const stream = await open(await tokenFor(world))
    await dispatch(world, [{ data: { n: "first" } }])
    await vi.waitFor(() => expect(stream.events).toHaveLength(1), 5_000)
    await stream.close()
    const numbered = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => ({ data: { n: String(from + index) } }))
    await dispatch(world, numbered(0, 2_500))
    // Another reader keeps the hub going on while the first one catches up.
    const other = await open(await tokenFor(world))
    const resumed = await open(await tokenFor(world), stream.events[0]?.id)
    for (let at = 2_500; at < 2_800; at += 50) await dispatch(world, numbered(at, 50))
    const numbers = () => resumed.events.map(({ data }) => Number(data.n))
    await vi.waitFor(() => expect([numbers()[0], numbers().length]).toEqual([0, 2_800]), 45_000)
    expect(numbers()).toEqual(Array.from({ length: 2_800 }, (_, index) => index))
    await vi.waitFor(() => expect(other.events).toHaveLength(300), 5_000)
    await Promise.all([resumed.close(), other.close()])
  })

  test("who opens a stream gets nothing from before, also where the last reader left while events were read for it", async () => {
    const world = await newWorld()
    const query = pool().query.bind(pool()) as (...given: unknown[]) => Promise<unknown>
    let reads = 0
    let go: () => void = () => undefined
    const held = new Promise<void>((resolve) => (go = resolve))
    const spy = vi.spyOn(pool(), "query").mockImplementation(async (...given: unknown[]) => {
      const found = await query(...given)
      if ((given[0] as { name?: string }).name === "stream.read_events" && (reads += 1) === 1) await held
      return found
    })
    try {
      const last = await open(await tokenFor(world))
      await dispatch(world, [{ data: { n: "1" } }])
      await vi.waitFor(() => expect(reads).toBe(1))
      await last.close()
      await dispatch(world, [{ data: { n: "2" } }])
      go()
      await vi.waitFor(() => expect(spy.mock.settledResults.every(({ type }) => type !== "incomplete")).toBe(true))
      const next = await open(await tokenFor(world))
      await dispatch(world, [{ data: { n: "3" } }])
      await vi.waitFor(() => expect(next.events.map(({ data }) => data.n)).toEqual(["3"]))
      await next.close()
    } finally {
      go()
      spy.mockRestore()
    }
  })

  test("streams that open at the same moment give each event once", async () => {
    const world = await newWorld()
    const tokens = await Promise.all(Array.from({ length: 8 }, () => tokenFor(world)))
    const streams = await Promise.all(
      tokens.map(async (token, index) => {
        if (index % 2) await dispatch(world, [{ data: { n: "before" } }])
        return open(token)
      }),
    )
    await dispatch(world, [{ data: { n: "all" } }])
    const ids = (stream: (typeof streams)[number]) => stream.events.map(({ id }) => id)
    await vi.waitFor(() => expect(streams.every(({ events }) => events.at(-1)?.data.n === "all")).toBe(true), 5_000)
    for (const stream of streams) expect(ids(stream)).toEqual([...new Set(ids(stream))])
    await Promise.all(streams.map(({ close }) => close()))
  })

  test("revoking the issuing key closes its streams within 5 seconds and leaves others open", async () => {
    const world = await newWorld()
    const second = await newKey(world.projectId)
    const [mine, other] = [await open(await tokenFor(world)), await open(await tokenFor(world, second.apiKey))]
    await pool().query("UPDATE api_keys SET revoked_at = now() WHERE id = $1", [world.keyId])
    await vi.waitFor(() => expect(mine.ended()).toBe(true), 5_000)
    expect(other.ended()).toBe(false)
    await other.close()
  })

  test("T38: a key that loses emails:send, and a member who is removed, lose their streams within 5 seconds, a new viewer does not", async () => {
    const world = await newWorld()
    const owner = await newSession(world.userId)
    const [removed, lowered] = [await newMember(world, "developer"), await newMember(world, "developer")]
    const params = { projectId: world.project }
    const streamOf = async (caller: object) => {
      const { json } = await api("POST /v1/emails/{projectId}/stream/token", { ...caller, params })
      return open(json.token)
    }
    const ofKey = await streamOf({ key: world.apiKey })
    const ofRemoved = await streamOf({ cookie: removed.cookie })
    const ofLowered = await streamOf({ cookie: lowered.cookie })

    const { status } = await api("PATCH /v1/projects/{projectId}/api-keys/{keyId}", {
      cookie: owner,
      params: { ...params, keyId: encodeId("key", world.keyId) },
      body: { permissions: ["emails:read"] },
    })
    expect(status).toBe(200)
    await pool().query("DELETE FROM members WHERE user_id = $1", [removed.userId])
    await pool().query("UPDATE members SET role = 'viewer' WHERE user_id = $1", [lowered.userId])
    await vi.waitFor(
      () => expect({ key: ofKey.ended(), member: ofRemoved.ended() }).toEqual({ key: true, member: true }),
      5_000,
    )
    expect(ofLowered.ended()).toBe(false)
    await ofLowered.close()
  })

  test("a reader that takes nothing is cut off; the others miss no event", async () => {
    const world = await newWorld()
    const reading = await open(await tokenFor(world))
    const { response } = await api("GET /v1/emails/stream", { query: { token: await tokenFor(world) } })
    const before = streamHub().size
    for (let i = 0; i < 4; i++)
      await dispatch(
        world,
        Array.from({ length: 100 }, () => ({})),
      )
    await vi.waitFor(() => expect(reading.events).toHaveLength(400), 10_000)
    await vi.waitFor(() => expect(streamHub().size).toBe(before - 1), 10_000)
    await response.body?.cancel()
    await reading.close()
  })

  test("a viewer's session may issue a token, a key needs emails:send, another project's path is refused", async () => {
    const [world, other] = [await newWorld(), await newWorld()]
    const issue = (call: object) =>
      api("POST /v1/emails/{projectId}/stream/token", { params: { projectId: world.project }, ...call })
    const reader = await newKey(world.projectId, ["emails:read"])
    expect((await issue({ cookie: (await newMember(world, "viewer")).cookie })).status).toBe(200)
    expect((await issue({ key: reader.apiKey })).status).toBe(403)
    expect((await issue({ key: other.apiKey })).status).toBe(403)
    expect((await issue({ cookie: await newSession(other.userId) })).status).toBe(404)
  })
})

test("a token expires, opens and ends by the database's clock, whatever the clock of the application says", async () => {
  const world = await newWorld()
  const hash = sha256("token of an application whose clock is ahead")
  const scope = { project: { id: world.projectId }, principal: { kind: "system" } } as unknown as Scope
  const expiresAt = await anHourAhead(() => addToken(scope, hash))
  expect(await isDatabaseTime(new Date(expiresAt.getTime() - 60_000))).toBe(true)
  expect(await anHourAhead(() => redeemToken(hash))).toMatchObject({ open: 1 })
  const { rows } = await pool().query("SELECT created_at, used_at, seen_at FROM stream_tokens WHERE token_hash = $1", [
    hash,
  ])
  for (const time of Object.values(rows[0])) expect(await isDatabaseTime(time as Date)).toBe(true)
})
