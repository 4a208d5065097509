import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest"
import { expectWithin } from "@/e2e/support/within"
import { newKey, newWorld, type World } from "@/e2e/support/world"
import { RequestCount } from "@/lib/access/limits/data"
import { cachedEntries, liveKey, hashOfKey } from "@/lib/access/credentials/keys"
import { liveSession } from "@/lib/access/credentials/session"
import { mayAttemptPassword, passwordSucceeded, signInLimits } from "@/lib/access/credentials/sign-in-limits"
import { openSession } from "@/lib/access/credentials/data"
import { pool } from "@/lib/platform/database/db"

const bucket = { policy: "clock-test", requests: 3, seconds: 60 }
const twoDays = 2 * 86_400_000
let world: World

beforeAll(async () => {
  world = await newWorld()
})
beforeEach(() => pool().query("DELETE FROM rate_windows"))
afterEach(() => vi.useRealTimers())

/** The clock of this host alone jumps; timers and the database go on. */
function jump(ms: number) {
  const now = Date.now()
  vi.useFakeTimers({ toFake: ["Date"], now: now + ms })
}

async function places(count: number): Promise<number[]> {
  const answers: number[] = []
  for (let at = 0; at < count; at++)
    answers.push(
      await new RequestCount(bucket, "key").take().then(
        () => 200,
        ({ kind }) => kind.status as number,
      ),
    )
  return answers
}

describe("a clock that jumps two days forward and back on an application host", () => {
  test("changes no count: three of a window pass before, meanwhile and after, and the wait is at most one window", async () => {
    expect(await places(1)).toEqual([200])
    jump(twoDays)
    expect(await places(2)).toEqual([200, 200])
    vi.useRealTimers()
    const refused = await new RequestCount(bucket, "key").take().catch((problem) => problem)
    expect(refused.kind.status).toBe(429)
    expect(refused.extras.retryAfterSeconds).toBeLessThanOrEqual(60)
    await pool().query("UPDATE rate_windows SET expire = expire - 60000")
    expect(await places(4)).toEqual([200, 200, 200, 429])
  })

  test("leaves every address and account its attempts to sign in", async () => {
    const one = { account: "ada@lovelace.example", ip: "192.0.2.1" }
    jump(twoDays)
    for (let at = 0; at <= signInLimits.perAccount; at++) await mayAttemptPassword(one)
    vi.useRealTimers()
    expect(await mayAttemptPassword(one)).toBe(false)
    const { rows } = await pool().query(
      "SELECT max(expire) - extract(epoch FROM now()) * 1000 AS left FROM rate_windows",
    )
    expect(Number(rows[0].left)).toBeLessThanOrEqual(signInLimits.windowSeconds * 1000)
    await passwordSucceeded(one)
    expect(await mayAttemptPassword(one)).toBe(true)
  })

  test("keeps no revoked key and no ended session alive", async () => {
    const { apiKey, keyId } = await newKey(world.projectId)
    const sessionId = (await openSession(world.userId, {})) ?? expect.fail("no session")
    const hash = hashOfKey(apiKey) ?? expect.fail("not a key")
    jump(twoDays)
    expect({
      keyId: (await liveKey(hash))?.principal.keyId,
      sessionId: (await liveSession(sessionId))?.sessionId,
    }).toEqual({ keyId, sessionId })
    vi.useRealTimers()
    await pool().query("UPDATE api_keys SET revoked_at = now() WHERE id = $1", [keyId])
    await pool().query("UPDATE sessions SET revoked_at = now() WHERE id = $1", [sessionId])
    const live = async () => [await liveKey(hash), await liveSession(sessionId)]
    await expectWithin(1_500, live, [null, null])
  })

  test("ends no key early and none late", async () => {
    const { apiKey, keyId } = await newKey(world.projectId)
    await pool().query("UPDATE api_keys SET expires_at = now() + interval '1 day' WHERE id = $1", [keyId])
    jump(twoDays)
    expect(await liveKey(hashOfKey(apiKey) ?? expect.fail("not a key"))).not.toBeNull()
    jump(-2 * twoDays)
    await pool().query("UPDATE api_keys SET expires_at = now() + interval '300 milliseconds' WHERE id = $1", [keyId])
    const live = () => liveKey(hashOfKey(apiKey) ?? expect.fail("not a key"))
    await expectWithin(2_000, live, null)
  })
})

test("a stored window that ends later than now and its length has ended", async () => {
  const store = (ms: number) =>
    pool().query(
      `INSERT INTO rate_windows (key, points, expire) VALUES ('clock-test:key', 1000, (extract(epoch FROM clock_timestamp()) * 1000)::bigint + $1)
        ON CONFLICT (key) DO UPDATE SET points = excluded.points, expire = excluded.expire`,
      [ms],
    )
  await store(twoDays)
  expect(await places(4)).toEqual([200, 200, 200, 429])
  await store(59_000)
  expect(await places(1)).toEqual([429])
})

describe("the key cache", () => {
  test("holds at most 10,000 entries, however many unknown keys are tried", async () => {
    for (let round = 0; round < 21; round++) {
      await Promise.all(
        Array.from({ length: 500 }, (_, at) => liveKey(Buffer.from(`unknown ${round} ${at}`.padEnd(32)))),
      )
    }
    expect(cachedEntries()).toBe(10_000)
  })

  test("reads a hash that was tried once no second time", async () => {
    const asked = vi.spyOn(pool(), "query")
    await liveKey(Buffer.from("tried first".padEnd(32)))
    await liveKey(Buffer.from("tried second".padEnd(32)))
    const hashes = asked.mock.calls.flatMap(([query]) =>
      (query as unknown as { values: [Buffer[]] }).values[0].map(String),
    )
    asked.mockRestore()
    expect(hashes.filter((hash) => hash.startsWith("tried first"))).toHaveLength(1)
  })
})
