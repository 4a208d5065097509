import { expect, test } from "vitest"
import { expectProblem } from "@/e2e/support/expect-problem"
import { api, newMember, newSession, newWorld, type World } from "@/e2e/support/world"
import { pool } from "@/lib/platform/database/db"
import { encodeId } from "@/lib/platform/ids"

const rename = (world: World, cookie: string, name: unknown) =>
  api("PATCH /v1/projects/{projectId}/organization", { cookie, params: { projectId: world.project }, body: { name } })

async function entriesOf({ organizationId }: World): Promise<unknown[]> {
  const { rows } = await pool().query(
    "SELECT target, changes FROM audit_entries WHERE organization_id = $1 AND action = 'organization.renamed'",
    [organizationId],
  )
  return rows
}

test("an owner renames the organization; the session has the name at once, the audit log both", async () => {
  const world = await newWorld()
  const cookie = await newSession(world.userId)
  const organizationId = encodeId("org", world.organizationId)
  const nameIn = async () => (await api("GET /v1/session", { cookie })).json.organizations[0].name as string
  const before = await nameIn()

  const { status, json } = await rename(world, cookie, "  Acme & Söhne ")
  expect({ status, json }).toEqual({ status: 200, json: { id: organizationId, name: "Acme & Söhne" } })
  expect(await nameIn()).toBe("Acme & Söhne")
  // The same name again is no change.
  expect((await rename(world, cookie, "Acme & Söhne")).status).toBe(200)
  expect(await entriesOf(world)).toEqual([
    {
      target: organizationId,
      changes: { name: { from: before, to: "Acme & Söhne" }, targetName: "Acme & Söhne" },
    },
  ])
})

test("nobody but an owner does, and the name follows the rules of a new organization", async () => {
  const world = await newWorld()
  for (const role of ["admin", "developer", "viewer"] as const) {
    const { cookie } = await newMember(world, role)
    expectProblem(await rename(world, cookie, "Mine"), 403, "auth.permission_missing")
  }
  const owner = await newSession(world.userId)
  for (const name of ["", "   ", "x".repeat(101), 7, null])
    expectProblem(await rename(world, owner, name), 400, "request.invalid")
  const key = { key: world.apiKey, params: { projectId: world.project }, body: { name: "Mine" } }
  expectProblem(await api("PATCH /v1/projects/{projectId}/organization", key), 403, "auth.session_required")
  expect(await entriesOf(world)).toEqual([])
})
