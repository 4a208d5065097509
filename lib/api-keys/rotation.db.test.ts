import { expectProblem } from "@/e2e/support/expect-problem"
import { describe, expect, test } from "vitest"
import { expectWithin } from "@/e2e/support/within"
import { api, newMember, newSession, newWorld, type World } from "@/e2e/support/world"
import { hashPassword } from "@/lib/access/credentials/passwords"
import { pool } from "@/lib/platform/database/db"
import { encodeId } from "@/lib/platform/ids"
import { dayMs, hourMs } from "@/lib/platform/time"

const ownPassword = "correct horse battery staple"
const createRoute = "POST /v1/projects/{projectId}/api-keys"
const rotateRoute = "POST /v1/projects/{projectId}/api-keys/{keyId}/rotate"

describe("a rotated key", () => {
  test("goes on working for the overlap beside the new one, which has its name, permissions and time", async () => {
    const { world, cookie } = await owner()
    const old = await create(world, cookie, { expiresInDays: 30 })
    const { status, json } = await rotate(world, cookie, old.json.id, 24)
    expect(status).toBe(201)
    expect(json).toMatchObject({
      name: "Shop",
      permissions: { projects: ["read"] },
      apiKey: expect.stringMatching(/^mr_live_/),
    })
    expect(Math.round((Date.parse(json.expiresAt) - Date.now()) / 86_400_000)).toBe(30)
    expect(await ask(world, json.apiKey)).toBe(200)
    expect(await ask(world, old.json.apiKey)).toBe(200)
    const before = await api("GET /v1/projects/{projectId}/api-keys/{keyId}", {
      cookie,
      params: { projectId: world.project, keyId: old.json.id },
    })
    expect(Math.round((Date.parse(before.json.expiresAt) - Date.now()) / 3600_000)).toBe(24)
  })

  test("is refused within a second without an overlap", async () => {
    const { world, cookie } = await owner()
    const old = await create(world, cookie)
    expect(await ask(world, old.json.apiKey)).toBe(200)
    const { json } = await rotate(world, cookie, old.json.id, 0)
    await expectWithin(1_200, () => ask(world, old.json.apiKey), 401)
    expect(await ask(world, json.apiKey)).toBe(200)
  })

  test("does not outlive the time that it had", async () => {
    const { world, cookie } = await owner()
    const old = await create(world, cookie, { expiresInDays: 7 })
    await pool().query("UPDATE api_keys SET expires_at = now() + interval '1 hour' WHERE start = $1", [old.json.start])
    await rotate(world, cookie, old.json.id, 168)
    const { json } = await api("GET /v1/projects/{projectId}/api-keys/{keyId}", {
      cookie,
      params: { projectId: world.project, keyId: old.json.id },
    })
    expect(Date.parse(json.expiresAt) - Date.now()).toBeLessThanOrEqual(3600_000)
  })

  test("cannot be rotated again while its replacement works, at the same time neither", async () => {
    const { world, cookie } = await owner()
    const old = await create(world, cookie)
    const answers = await Promise.all([1, 2, 3].map(() => rotate(world, cookie, old.json.id, 24)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    const made = answers.find(({ status }) => status === 201)?.json
    const refused = await rotate(world, cookie, old.json.id, 0)
    expectProblem(refused, 409, "api_key.already_rotated")
    expect(refused.json.detail).toContain(made.id)
    expect(await ask(world, made.apiKey)).toBe(200)
    expect(await ask(world, old.json.apiKey)).toBe(200)
    expect((await rotate(world, cookie, made.id, 24)).status).toBe(201)
    await pool().query("UPDATE api_keys SET revoked_at = now() WHERE replaces_id IS NOT NULL AND start = $1", [
      made.start,
    ])
    expect((await rotate(world, cookie, old.json.id, 24)).status).toBe(201)
  })

  test.each([[30], [null]])(
    "gives its time (days: %s) to every replacement, though the first was rotated and revoked",
    async (days) => {
      const { world, cookie } = await owner()
      const old = await create(world, cookie, { expiresInDays: days })
      const first = await rotate(world, cookie, old.json.id, 1)
      await rotate(world, cookie, first.json.id, 24)
      await pool().query("UPDATE api_keys SET revoked_at = now() WHERE start = $1", [first.json.start])
      const second = await rotate(world, cookie, old.json.id, 168)
      const { createdAt, expiresAt } = second.json
      const daysGiven = expiresAt && Math.round((Date.parse(expiresAt) - Date.parse(createdAt)) / dayMs)
      expect(daysGiven).toBe(days ?? undefined)
      const { json } = await api("GET /v1/projects/{projectId}/api-keys/{keyId}", {
        cookie,
        params: { projectId: world.project, keyId: old.json.id },
      })
      expect(Math.round((Date.parse(json.expiresAt) - Date.parse(createdAt)) / hourMs)).toBe(168)
    },
  )

  test("goes on working for longer from its latest rotation, when its first replacement was revoked", async () => {
    const { world, cookie } = await owner()
    const old = await create(world, cookie)
    const first = await rotate(world, cookie, old.json.id, 24)
    await pool().query(
      "UPDATE api_keys SET created_at = created_at - interval '20 days', revoked_at = now() WHERE start = $1",
      [first.json.start],
    )
    const second = await rotate(world, cookie, old.json.id, 24)
    const { json } = await extend(world, cookie, old.json.id, 720)
    expect((Date.parse(json.expiresAt) - Date.parse(second.json.createdAt)) / hourMs).toBe(720)
  })

  test("is rotated once by two at the same time without an overlap", async () => {
    const { world, cookie } = await owner()
    const old = await create(world, cookie)
    const answers = await Promise.all([rotate(world, cookie, old.json.id, 0), rotate(world, cookie, old.json.id, 0)])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 404])
  })

  test("needs room for two during the overlap, none without", async () => {
    const { world, cookie } = await owner()
    const old = await create(world, cookie)
    await pool().query("UPDATE projects SET max_api_keys = 2 WHERE id = $1", [world.projectId])
    expect((await rotate(world, cookie, old.json.id, 1)).json.code).toBe("project.limit_reached")
    expect((await rotate(world, cookie, old.json.id, 0)).status).toBe(201)
  })

  test("that is revoked, expired or of another project is not found", async () => {
    const { world, cookie } = await owner()
    const other = await newWorld()
    const revoked = await create(world, cookie)
    await pool().query("UPDATE api_keys SET revoked_at = now() WHERE start = $1", [revoked.json.start])
    for (const id of [revoked.json.id, encodeId("key", other.keyId)]) {
      expect((await rotate(world, cookie, id, 24)).json.code).toBe("api_key.not_found")
    }
  })

  test("is in the audit log, without either key", async () => {
    const { world, cookie } = await owner()
    const old = await create(world, cookie)
    const { json } = await rotate(world, cookie, old.json.id, 24)
    const { rows } = await pool().query(
      "SELECT target, changes FROM audit_entries WHERE organization_id = $1 AND action = 'api_key.rotated'",
      [world.organizationId],
    )
    expect(rows).toEqual([
      {
        target: old.json.id,
        changes: { replacedBy: json.id, start: json.start, overlapHours: 24, targetName: "Shop" },
      },
    ])
    expect(JSON.stringify(rows)).not.toContain(json.apiKey)
  })

  test("goes on working for longer when its overlap is extended, at most 30 days from the rotation in all", async () => {
    const { world, cookie } = await owner()
    const old = await create(world, cookie)
    const { json: next } = await rotate(world, cookie, old.json.id, 24)
    const rotatedAt = Date.parse(next.createdAt)
    for (const hours of [168, 720]) {
      const { status, json } = await extend(world, cookie, old.json.id, hours)
      expect(status).toBe(200)
      expect(Date.parse(json.expiresAt) - rotatedAt).toEqual(hours * 3600_000)
    }
    for (const hours of [720, 24]) {
      const { status, json } = await extend(world, cookie, old.json.id, hours)
      expect({ status, pointer: json.errors[0].pointer }).toEqual({ status: 400, pointer: "/overlapHours" })
    }
    const { rows } = await pool().query(
      "SELECT changes FROM audit_entries WHERE organization_id = $1 AND action = 'api_key.updated' AND target = $2",
      [world.organizationId, old.json.id],
    )
    expect(rows).toHaveLength(2)
    expect(rows[0].changes).toHaveProperty("expiresAt.after")
  })

  test("does not outlive the time that it was made for when its overlap is extended", async () => {
    const { world, cookie } = await owner()
    const old = await create(world, cookie, { expiresInDays: 7 })
    await rotate(world, cookie, old.json.id, 24)
    const { status, json } = await extend(world, cookie, old.json.id, 720)
    expect({ status, expiresAt: json.expiresAt }).toEqual({ status: 200, expiresAt: old.json.expiresAt })
  })

  test("is extended only after a rotation, with a confirmed sign-in, and while it works", async () => {
    const { world, cookie } = await owner()
    const old = await create(world, cookie, { expiresInDays: 7 })
    expect((await extend(world, cookie, old.json.id, 168)).json.errors[0].pointer).toBe("/overlapHours")
    await rotate(world, cookie, old.json.id, 24)
    await pool().query("UPDATE sessions SET confirmed_at = now() - interval '1 hour' WHERE user_id = $1", [
      world.userId,
    ])
    expect((await extend(world, cookie, old.json.id, 168)).json.code).toBe("auth.confirmation_required")
    await pool().query("UPDATE sessions SET confirmed_at = now() WHERE user_id = $1", [world.userId])
    await pool().query("UPDATE api_keys SET revoked_at = now() WHERE start = $1", [old.json.start])
    expect((await extend(world, cookie, old.json.id, 168)).json.code).toBe("api_key.not_found")
  })

  test.each([2, -1, "24", null, 1e9])("takes no overlap of %j", async (overlapHours) => {
    const { world, cookie } = await owner()
    const { status, json } = await rotate(world, cookie, encodeId("key", world.keyId), overlapHours)
    expect({ status, pointer: json.errors[0].pointer }).toEqual({ status: 400, pointer: "/overlapHours" })
  })

  test("is refused to a viewer and to keys", async () => {
    const { world } = await owner()
    const viewer = await newMember(world, "viewer")
    expect((await rotate(world, viewer.cookie, encodeId("key", world.keyId), 0)).json.code).toBe(
      "auth.permission_missing",
    )
    const params = { projectId: world.project, keyId: encodeId("key", world.keyId) }
    expect((await api(rotateRoute, { key: world.apiKey, params, body: { overlapHours: 0 } })).json.code).toBe(
      "auth.session_required",
    )
  })
})

describe("making or rotating a key", () => {
  test("takes the password again when the sign-in is older than 15 minutes", async () => {
    const { world, cookie } = await owner()
    await pool().query("UPDATE sessions SET confirmed_at = now() - interval '15 minutes 1 second' WHERE user_id = $1", [
      world.userId,
    ])
    const both = async () => [
      await create(world, cookie),
      await rotate(world, cookie, encodeId("key", world.keyId), 24),
    ]
    for (const { status, json } of await both()) expectProblem({ status, json }, 403, "auth.confirmation_required")

    const wrong = await api("POST /v1/session/confirm", { cookie, body: { password: "not the password" } })
    expect({ status: wrong.status, pointer: wrong.json.errors[0].pointer }).toEqual({
      status: 400,
      pointer: "/password",
    })
    for (const { status } of await both()) expect(status).toBe(403)
    expect((await api("POST /v1/session/confirm", { cookie, body: { password: ownPassword } })).status).toBe(204)
    for (const { status } of await both()) expect(status).toBe(201)
  })

  test("is not confirmed by the confirmation of another browser", async () => {
    const { world, cookie } = await owner()
    const other = await newSession(world.userId)
    await pool().query("UPDATE sessions SET confirmed_at = now() - interval '1 hour' WHERE user_id = $1", [
      world.userId,
    ])
    await api("POST /v1/session/confirm", { cookie: other, body: { password: ownPassword } })
    expect((await create(world, cookie)).json.code).toBe("auth.confirmation_required")
    expect((await create(world, other)).status).toBe(201)
  })

  test("cannot be confirmed by guessing: a session has 20 attempts", async () => {
    const { cookie } = await owner()
    const confirm = (password: string) =>
      api("POST /v1/session/confirm", { cookie, body: { password }, headers: { "x-client-ip": "203.0.113.55" } })
    for (let turn = 0; turn < 20; turn++) await confirm("not the password")
    expect((await confirm(ownPassword)).status).toBe(400)
  })
})

async function owner() {
  const world = await newWorld()
  await pool().query("UPDATE users SET password_hash = $2 WHERE id = $1", [
    world.userId,
    await hashPassword(ownPassword),
  ])
  return { world, cookie: await newSession(world.userId) }
}

function create(world: World, cookie: string, fields: Record<string, unknown> = {}) {
  const body = { name: "Shop", permissions: ["projects:read"], ...fields }
  return api(createRoute, { cookie, params: { projectId: world.project }, body })
}

function rotate(world: World, cookie: string, keyId: string, overlapHours: unknown) {
  return api(rotateRoute, { cookie, params: { projectId: world.project, keyId }, body: { overlapHours } })
}

function extend(world: World, cookie: string, keyId: string, overlapHours: number) {
  const params = { projectId: world.project, keyId }
  return api("PATCH /v1/projects/{projectId}/api-keys/{keyId}", { cookie, params, body: { overlapHours } })
}

async function ask(world: World, key: string) {
  return (await api("GET /v1/projects/{projectId}", { key, params: { projectId: world.project } })).status
}
