import { describe, expect, test } from "vitest"
import { expectWithin } from "@/e2e/support/within"
import { api, newMember, newSession, newWorld, type World } from "@/e2e/support/world"
import type { Role } from "@/lib/access/permissions"
import { pool } from "@/lib/platform/database/db"
import { encodeId, newId } from "@/lib/platform/ids"

const listRoute = "GET /v1/projects/{projectId}/members"
const changeRoute = "PATCH /v1/projects/{projectId}/members/{userId}"
const removeRoute = "DELETE /v1/projects/{projectId}/members/{userId}"

describe("the members of an organization", () => {
  test("are shown to every member, with who is oneself", async () => {
    const world = await newWorld()
    const viewer = await newMember(world, "viewer")
    const { status, json } = await api(listRoute, { cookie: viewer.cookie, params: { projectId: world.project } })
    expect(status).toBe(200)
    expect(json.data.map(({ role, you }: { role: string; you: boolean }) => [role, you])).toEqual([
      ["owner", false],
      ["viewer", true],
    ])
    expect(JSON.stringify(json)).not.toMatch(/argon|password/)
  })

  // Who may make whom of whom: the whole matrix, by the server.
  const ranks: Role[] = ["owner", "admin", "developer", "viewer"]
  const cases = ranks.flatMap((actor) =>
    ranks.flatMap((before) => ranks.map((after) => [actor, before, after] as const)),
  )
  test("change roles by the matrix of roles and nothing else", async () => {
    const world = await newWorld()
    const actors = new Map(await Promise.all(ranks.map(async (role) => [role, await newMember(world, role)] as const)))
    for (const [actor, before, after] of cases) {
      const subject = await newMember(world, before)
      const { status } = await change(world, actors.get(actor)?.cookie ?? "", subject.userId, after)
      const allowed = actor === "owner" || (actor === "admin" && before !== "owner" && after !== "owner")
      expect(status, `${actor} ${before} ${after}`).toEqual(allowed ? 200 : 403)
      expect(await roleOf(subject.userId)).toBe(allowed ? after : before)
    }
  })

  test.each(ranks)("a %s cannot make themselves more than they are", async (role) => {
    const world = await newWorld()
    const self = await newMember(world, role)
    const { status } = await change(world, self.cookie, self.userId, "owner")
    expect({ status, role: await roleOf(self.userId) }).toEqual({ status: role === "owner" ? 200 : 403, role })
  })

  test.each(["superuser", "", "OWNER", null, ["owner"], { $ne: "owner" }])(
    "a role of %j is 400 with its pointer",
    async (role) => {
      const world = await newWorld()
      const member = await newMember(world, "viewer")
      const { status, json } = await change(world, await newSession(world.userId), member.userId, role)
      expect({ status, pointer: json.errors[0].pointer }).toEqual({ status: 400, pointer: "/role" })
    },
  )

  test("hold their new role within a second, downwards too", async () => {
    const world = await newWorld()
    const member = await newMember(world, "developer")
    const rename = async () => {
      const body = { domain: `d-${newId().slice(-12)}.test`, region: "eu-west-1" }
      return (
        await api("POST /v1/projects/{projectId}/domains", {
          cookie: member.cookie,
          params: { projectId: world.project },
          body,
        })
      ).status
    }
    expect(await rename()).toBe(201)
    expect((await change(world, await newSession(world.userId), member.userId, "viewer")).status).toBe(200)
    await expectWithin(1_500, rename, 403)
  })

  test("of another organization are not there, whichever project the path names", async () => {
    const [world, other] = [await newWorld(), await newWorld()]
    const [cookie, foreign] = [await newSession(world.userId), await newMember(other, "viewer")]
    expect((await change(world, cookie, foreign.userId, "admin")).json.code).toBe("member.not_found")
    expect((await remove(world, cookie, foreign.userId)).json.code).toBe("member.not_found")
    expect((await change(other, cookie, foreign.userId, "admin")).json.code).toBe("project.not_found")
    expect((await remove(other, cookie, foreign.userId)).json.code).toBe("project.not_found")
    expect(await roleOf(foreign.userId)).toBe("viewer")
  })
})

describe("the last owner", () => {
  test("cannot leave, be removed or become less", async () => {
    const world = await newWorld()
    const cookie = await newSession(world.userId)
    await newMember(world, "admin")
    expect((await change(world, cookie, world.userId, "admin")).json.code).toBe("member.last_owner")
    expect((await remove(world, cookie, world.userId)).json.code).toBe("member.last_owner")
    expect(await roleOf(world.userId)).toBe("owner")
  })

  test("is one of two who demote each other at the same time", async () => {
    for (let turn = 0; turn < 10; turn++) {
      const world = await newWorld()
      const second = await newMember(world, "owner")
      const cookie = await newSession(world.userId)
      const answers = await Promise.all([
        change(world, cookie, second.userId, "viewer"),
        change(world, second.cookie, world.userId, "viewer"),
      ])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 403])
      expect(await ownersOf(world)).toBe(1)
    }
  })

  test("is one of several who all leave at the same time", async () => {
    const world = await newWorld()
    const owners = [
      { userId: world.userId, cookie: await newSession(world.userId) },
      await newMember(world, "owner"),
      await newMember(world, "owner"),
    ]
    const answers = await Promise.all(owners.map(({ userId, cookie }) => remove(world, cookie, userId)))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 204, 409])
    expect(await ownersOf(world)).toBe(1)
  })
})

describe("a removed member", () => {
  test("is out within a second, everywhere, and was signed out", async () => {
    const world = await newWorld()
    const { userId, cookie } = await newMember(world, "developer")
    const other = await newSession(userId)
    const read = async (session: string) => (await api("GET /v1/session", { cookie: session })).status
    expect(await read(cookie)).toBe(200)
    expect(await read(other)).toBe(200)
    expect((await remove(world, await newSession(world.userId), userId)).status).toBe(204)
    for (const session of [cookie, other]) await expectWithin(1_500, () => read(session), 401)
  })

  test("of one organization stays signed in for the other", async () => {
    const [world, other] = [await newWorld(), await newWorld()]
    const { userId, cookie } = await newMember(world, "developer")
    await pool().query("INSERT INTO members (organization_id, user_id, role) VALUES ($1, $2, 'viewer')", [
      other.organizationId,
      userId,
    ])
    await remove(world, await newSession(world.userId), userId)
    const project = async (id: string) =>
      (await api("GET /v1/projects/{projectId}", { cookie, params: { projectId: id } })).status
    await expectWithin(1_500, () => project(world.project), 404)
    expect(await project(other.project)).toBe(200)
  })

  test.each([
    ["admin", "owner", 403],
    ["admin", "admin", 204],
    ["developer", "viewer", 403],
    ["viewer", "developer", 403],
    ["owner", "owner", 204],
  ] as const)("was removed by a %s, being %s: %i", async (actor, subject, status) => {
    const world = await newWorld()
    const [by, whom] = [await newMember(world, actor), await newMember(world, subject)]
    expect((await remove(world, by.cookie, whom.userId)).status).toBe(status)
  })

  test("may be oneself: everybody can leave", async () => {
    const world = await newWorld()
    const viewer = await newMember(world, "viewer")
    expect((await remove(world, viewer.cookie, viewer.userId)).status).toBe(204)
  })
})

test("every change of the members is in the audit log, with who did it", async () => {
  const world = await newWorld()
  const [cookie, member, leaver] = [
    await newSession(world.userId),
    await newMember(world, "viewer"),
    await newMember(world, "viewer"),
  ]
  await change(world, cookie, member.userId, "admin")
  await remove(world, cookie, member.userId)
  await remove(world, leaver.cookie, leaver.userId)
  const { rows } = await pool().query(
    "SELECT action, actor_id, target, changes FROM audit_entries WHERE organization_id = $1 ORDER BY id",
    [world.organizationId],
  )
  expect(rows).toEqual([
    {
      action: "member.role_changed",
      actor_id: world.userId,
      target: encodeId("usr", member.userId),
      changes: { role: { from: "viewer", to: "admin" }, targetName: expect.stringMatching(/^viewer-.+@/) },
    },
    {
      action: "member.removed",
      actor_id: world.userId,
      target: encodeId("usr", member.userId),
      changes: { role: "admin", targetName: expect.stringMatching(/^viewer-.+@/) },
    },
    {
      action: "member.left",
      actor_id: leaver.userId,
      target: encodeId("usr", leaver.userId),
      changes: { role: "viewer", targetName: expect.stringMatching(/^viewer-.+@/) },
    },
  ])
})

function change(world: World, cookie: string, userId: string, role: unknown) {
  return api(changeRoute, {
    cookie,
    params: { projectId: world.project, userId: encodeId("usr", userId) },
    body: { role },
  })
}

function remove(world: World, cookie: string, userId: string) {
  return api(removeRoute, { cookie, params: { projectId: world.project, userId: encodeId("usr", userId) } })
}

async function roleOf(userId: string): Promise<string | undefined> {
  return (await pool().query("SELECT role FROM members WHERE user_id = $1", [userId])).rows[0]?.role
}

async function ownersOf(world: World): Promise<number | null> {
  return (
    await pool().query("SELECT 1 FROM members WHERE organization_id = $1 AND role = 'owner'", [world.organizationId])
  ).rowCount
}
