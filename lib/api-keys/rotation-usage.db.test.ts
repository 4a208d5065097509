import { beforeEach, describe, expect, test } from "vitest"
import { api, newSession, newWorld, type World } from "@/e2e/support/world"
import { addRequests, type KeyRequest } from "@/lib/api-keys/usage/data"
import { pool } from "@/lib/platform/database/db"
import { decodeId, encodeId, newId } from "@/lib/platform/ids"

let world: World
let cookie: string
let oldId: string
beforeEach(async () => {
  world = await newWorld()
  cookie = await newSession(world.userId)
  oldId = encodeId("key", world.keyId)
})

function request(change: Partial<KeyRequest> = {}): KeyRequest {
  return {
    ...{ id: newId(), organizationId: world.organizationId, projectId: world.projectId, keyId: world.keyId },
    ...{ method: "GET", route: "/v1/emails/{emailId}", statusCode: 200, durationMs: 7, ip: "192.0.2.1" },
    ...{ permission: "emails:read", at: new Date() },
    ...change,
  }
}

const summaryOf = async (keyId: string) =>
  (
    await api("GET /v1/projects/{projectId}/api-keys/{keyId}/usage/summary", {
      cookie,
      params: { projectId: world.project, keyId },
    })
  ).json

const rotated = async (overlapHours: number, keyId = oldId): Promise<string> =>
  (
    await api("POST /v1/projects/{projectId}/api-keys/{keyId}/rotate", {
      cookie,
      params: { projectId: world.project, keyId },
      body: { overlapHours },
    })
  ).json.id

describe("the summary of a key", () => {
  test("shows both keys of a rotation from the page of either, with where each is used from", async () => {
    const nextId = await rotated(24)
    await addRequests([
      request({ ip: "192.0.2.7" }),
      request({ ip: "192.0.2.1", statusCode: 403 }),
      request({ ip: "192.0.2.7" }),
      request({ keyId: decodeId("key", nextId) ?? "", ip: "192.0.2.9" }),
    ])
    const [ofOld, ofNext] = [await summaryOf(oldId), await summaryOf(nextId)]
    expect(ofOld.rotation).toEqual(ofNext.rotation)
    const { next, old, startedAt, endsAt } = ofNext.rotation
    expect({ nextKeyId: next.keyId, oldKeyId: old.keyId }).toEqual({ nextKeyId: nextId, oldKeyId: oldId })
    expect(old.addresses).toEqual(["192.0.2.7", "192.0.2.1"])
    expect(next.addresses).toEqual(["192.0.2.9"])
    expect(old.days.at(-1).requests).toBe(3)
    expect(old.hours.at(-1).requests).toBe(3)
    expect(next.days.at(-1).requests).toBe(1)
    expect(Date.parse(old.lastUsedAt)).toBeGreaterThan(Date.parse(startedAt) - 60_000)
    expect(Math.round((Date.parse(endsAt) - Date.parse(startedAt)) / 3_600_000)).toBe(24)
  })

  test("has no rotation once the old key has ended, by its time, by a person or at once", async () => {
    const first = await rotated(1)
    await pool().query("UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE id = $1", [world.keyId])
    expect((await summaryOf(first)).rotation).toBeUndefined()
    const second = await rotated(0, first)
    expect((await summaryOf(second)).rotation).toBeUndefined()
    const third = await rotated(24, second)
    expect((await summaryOf(third)).rotation.old.keyId).toBe(second)
    await pool().query("UPDATE api_keys SET revoked_at = now() WHERE id = $1", [decodeId("key", second)])
    expect((await summaryOf(third)).rotation).toBeUndefined()
  })

  test("shows the later rotation of a key that replaced one and is replaced itself", async () => {
    const second = await rotated(24)
    const third = await rotated(24, second)
    expect((await summaryOf(second)).rotation).toMatchObject({ next: { keyId: third }, old: { keyId: second } })
    expect((await summaryOf(oldId)).rotation).toMatchObject({ next: { keyId: second }, old: { keyId: oldId } })
  })

  test("counts the last 24 hours, of which the oldest are gone", async () => {
    const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000)
    await addRequests([
      request({ at: ago(0) }),
      request({ at: ago(2), statusCode: 404 }),
      request({ at: ago(2) }),
      request({ at: ago(24) }),
    ])
    await addRequests([request({ at: ago(2) })])
    const { hours } = await summaryOf(oldId)
    expect(hours).toHaveLength(24)
    expect(hours.at(-1)).toMatchObject({ requests: 1, refused: 0 })
    expect(hours.at(-3)).toMatchObject({ requests: 3, refused: 1 })
    expect(hours.reduce((sum: number, { requests }: { requests: number }) => sum + requests, 0)).toBe(4)
  })

  test("says how long its last 1,000 requests took", async () => {
    expect((await summaryOf(oldId)).latency).toBeUndefined()
    await addRequests(Array.from({ length: 10 }, () => request({ durationMs: 60_000 })))
    await addRequests(Array.from({ length: 1_000 }, (_, nth) => request({ durationMs: nth < 960 ? 20 : 90 })))
    expect((await summaryOf(oldId)).latency).toEqual({ sample: 1_000, p50Ms: 20, p95Ms: 20 })
    await addRequests(Array.from({ length: 100 }, () => request({ durationMs: 90 })))
    expect((await summaryOf(oldId)).latency).toEqual({ sample: 1_000, p50Ms: 20, p95Ms: 90 })
  })
})
