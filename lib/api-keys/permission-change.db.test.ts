import { expectProblem } from "@/e2e/support/expect-problem"
import { beforeEach, expect, test } from "vitest"
import { expectWithin } from "@/e2e/support/within"
import { api, newMember, newSession, newWorld, type World } from "@/e2e/support/world"
import { pool } from "@/lib/platform/database/db"
import { encodeId } from "@/lib/platform/ids"

let world: World
let cookie: string
let made: { id: string; apiKey: string }
beforeEach(async () => {
  world = await newWorld()
  cookie = await newSession(world.userId)
  const body = { name: "Shop", permissions: ["projects:read", "domains:read"] }
  made = (await api("POST /v1/projects/{projectId}/api-keys", { cookie, params: { projectId: world.project }, body }))
    .json
})

function change(permissions: unknown, by: { cookie?: string; key?: string } = { cookie }, keyId = made.id) {
  return api("PATCH /v1/projects/{projectId}/api-keys/{keyId}", {
    ...by,
    params: { projectId: world.project, keyId },
    body: { permissions },
  })
}

const asked = async () =>
  (await api("GET /v1/projects/{projectId}/domains", { key: made.apiKey, params: { projectId: world.project } })).status

test("a permission that is taken from a key is refused within a second, and works again when it is given back", async () => {
  expect(await asked()).toBe(200)
  const { status, json } = await change(["projects:read"])
  expect({ status, permissions: json.permissions }).toEqual({ status: 200, permissions: { projects: ["read"] } })
  await expectWithin(1_200, asked, 403)
  expect((await change(["projects:read", "domains:read"])).json.permissions).toEqual({
    projects: ["read"],
    domains: ["read"],
  })
  await expectWithin(1_200, asked, 200)
})

test("the audit log has the permissions before and after, and nothing when none changed", async () => {
  await change(["projects:read"])
  await change(["projects:read", "projects:read"])
  const { rows } = await pool().query(
    "SELECT target, changes FROM audit_entries WHERE organization_id = $1 AND action = 'api_key.updated'",
    [world.organizationId],
  )
  expect(rows).toEqual([
    {
      target: made.id,
      changes: {
        permissions: { before: ["projects:read", "domains:read"], after: ["projects:read"] },
        targetName: "Shop",
      },
    },
  ])
})

test("to add a permission takes a recent sign-in, to take one does not", async () => {
  await pool().query("UPDATE sessions SET confirmed_at = now() - interval '16 minutes' WHERE user_id = $1", [
    world.userId,
  ])
  expect((await change(["projects:read"])).status).toBe(200)
  const { status, json } = await change(["projects:read", "domains:read"])
  expectProblem({ status, json }, 403, "auth.confirmation_required")
})

test("viewers and keys change none", async () => {
  const viewer = await newMember(world, "viewer")
  for (const by of [{ cookie: viewer.cookie }, { key: world.apiKey }]) {
    const { status, json } = await change(["projects:read"], by)
    expect(status).toBe(403)
    expect(["auth.permission_missing", "auth.session_required"].includes(json.code)).toBe(true)
  }
  const { rows } = await pool().query("SELECT permissions FROM api_keys WHERE start = $1", [made.apiKey.slice(0, 12)])
  expect(rows).toEqual([{ permissions: ["projects:read", "domains:read"] }])
})

test("a key that has ended or belongs to another project is not found, and no key is left without permissions", async () => {
  const other = await newWorld()
  expect((await change(["projects:read"], { cookie }, encodeId("key", other.keyId))).json.code).toBe(
    "api_key.not_found",
  )
  expect((await change([])).json.errors[0].pointer).toBe("/permissions")
  await pool().query("UPDATE api_keys SET revoked_at = now() WHERE start = $1", [made.apiKey.slice(0, 12)])
  expect((await change(["projects:read"])).json.code).toBe("api_key.not_found")
})
