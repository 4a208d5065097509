import { beforeEach, describe, expect, test, vi } from "vitest"
import { addVerifiedDomain } from "@/e2e/support/examples"
import { api, type Call, newKey, newWorld, type World } from "@/e2e/support/world"
import { pool } from "@/lib/platform/database/db"

const mail = { from: "hello@acme.test", to: ["ada@lovelace.example"], subject: "Hello", text: "Hello." }
const limit = 300
let world: World

beforeEach(async () => {
  world = await newWorld()
  await addVerifiedDomain(world)
})

const send = (body: unknown = mail, call: Call = {}) => api("POST /v1/emails", { key: world.apiKey, body, ...call })

/** As other processes would have counted: this one has not seen the window. */
async function leave(requests: number, keyId = world.keyId) {
  await pool().query(
    `INSERT INTO rate_windows (key, points, expire) VALUES ('email-send:' || $1, $2, extract(epoch FROM now()) * 1000 + 30000)
      ON CONFLICT (key) DO UPDATE SET points = excluded.points`,
    [keyId, limit - requests],
  )
}

async function counted(keyId = world.keyId): Promise<number> {
  const { rows } = await pool().query("SELECT points FROM rate_windows WHERE key = 'email-send:' || $1", [keyId])
  return rows[0]?.points ?? 0
}

async function stored(): Promise<number> {
  const { rows } = await pool().query("SELECT count(*)::int AS n FROM emails WHERE project_id = $1", [world.projectId])
  return rows[0].n
}

describe("A send that is counted where it is accepted", () => {
  test("says what is left of its window", async () => {
    await leave(3)
    const { status, headers } = await send()
    expect({
      status,
      xRatelimitLimit: headers.get("x-ratelimit-limit"),
      xRatelimitRemaining: headers.get("x-ratelimit-remaining"),
    }).toEqual({ status: 201, xRatelimitLimit: "300", xRatelimitRemaining: "2" })
    expect(Number(headers.get("x-ratelimit-reset"))).toBeGreaterThanOrEqual(29)
  })

  test("is refused over its limit, stores nothing and does not use up its idempotency key", async () => {
    await leave(0)
    const refused = await send({ ...mail, idempotencyKey: "later" })
    expect([refused.status, refused.json.code, refused.headers.get("x-ratelimit-remaining")]).toEqual([
      ...[429, "rate_limit.exceeded", "0"],
    ])
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(29)
    expect({ stored: await stored(), counted: await counted() }).toEqual({ stored: 0, counted: limit + 1 })
    await pool().query("UPDATE rate_windows SET expire = 0")
    expect((await send({ ...mail, idempotencyKey: "later" })).status).toBe(201)
    expect({ stored: await stored(), counted: await counted() }).toEqual({ stored: 1, counted: 1 })
  })

  test("passes exactly as often as its window allows, however many come at once, beside another key of the project", async () => {
    const other = await newKey(world.projectId)
    await leave(5)
    const [own, others] = await Promise.all([
      Promise.all(Array.from({ length: 20 }, () => send())),
      Promise.all(Array.from({ length: 20 }, () => send(mail, { key: other.apiKey }))),
    ])
    expect(own.filter(({ status }) => status === 201)).toHaveLength(5)
    expect(own.filter(({ status }) => status === 429)).toHaveLength(15)
    expect(others.filter(({ status }) => status === 201)).toHaveLength(20)
    expect(await stored()).toBe(25)
    expect(await counted()).toEqual(limit + 15)
    expect(await counted(other.keyId)).toBe(20)
  })

  test("counts once, whatever becomes of it: invalid, without a verified sender, replayed, repeated at the same time", async () => {
    const once = { ...mail, idempotencyKey: "once" }
    const outcomes: [unknown, number][] = [
      [{ subject: "no sender" }, 400],
      [{ ...mail, from: "x@unverified.example" }, 422],
      [once, 201],
      [once, 201],
      [{ subject: "no sender", idempotencyKey: "once" }, 201],
    ]
    for (const [body, status] of outcomes) expect((await send(body)).status).toBe(status)
    expect(await counted()).toBe(5)
    const repeated = await Promise.all(Array.from({ length: 10 }, () => send({ ...mail, idempotencyKey: "twice" })))
    expect(new Set(repeated.map(({ json }) => json.id)).size).toBe(1)
    expect({ counted: await counted(), stored: await stored() }).toEqual({ counted: 15, stored: 2 })
    expect(repeated.map(({ headers }) => Number(headers.get("x-ratelimit-remaining"))).sort((a, b) => b - a)).toEqual(
      Array.from({ length: 10 }, (_, at) => limit - 6 - at),
    )
  })

  test("over its limit is 429 whatever else is wrong with it: its body, its project, its permission", async () => {
    const reader = await newKey(world.projectId, ["emails:read"])
    await leave(0)
    await leave(0, reader.keyId)
    expect((await send({ subject: "no sender" })).status).toBe(429)
    expect((await send(mail, { key: reader.apiKey })).status).toBe(429)
    expect((await send({ ...mail, idempotencyKey: "x" }, { rawBody: "{" })).status).toBe(429)
  })

  test("is counted before its body is read where that is long, or of unknown length, or its window is known to be full", async () => {
    const query = vi.spyOn(pool(), "query")
    const statements = async (act: () => Promise<unknown>) => {
      query.mockClear()
      await act()
      return query.mock.calls.flatMap(
        ([given]) =>
          /count_and_accept_emails|accept_emails|count_in_windows/.exec((given as { text?: string }).text ?? "")?.[0] ??
          [],
      )
    }
    const alone = ["count_in_windows", "accept_emails"]
    expect(await statements(() => send({ ...mail, text: "x".repeat(70_000) }))).toEqual(alone)
    const rawBody = new Blob([JSON.stringify(mail)]).stream()
    expect(
      await statements(() => send(undefined, { rawBody, headers: { "content-type": "application/json" } })),
    ).toEqual(alone)
    await leave(1)
    expect(await statements(() => send())).toEqual(["count_and_accept_emails"])
    expect(await statements(() => send({ subject: "not even read" }))).toEqual(["count_in_windows"])
    query.mockRestore()
  })
})
