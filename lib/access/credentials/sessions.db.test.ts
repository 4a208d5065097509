import { expectProblem } from "@/e2e/support/expect-problem"
import { randomUUID } from "node:crypto"
import { describe, expect, test } from "vitest"
import { expectWithin } from "@/e2e/support/within"
import { api, newKey, newMember, newSession, newWorld } from "@/e2e/support/world"
import { hashPassword, passwordMatches } from "@/lib/access/credentials/passwords"
import { passwordHashOf } from "@/lib/access/people/data"
import { signInLimits } from "@/lib/access/credentials/sign-in-limits"
import { newSignInLink } from "@/lib/access/credentials/sign-in"
import { pool } from "@/lib/platform/database/db"
import { statementsOf } from "@/e2e/support/platform/statements"
import { systemIo } from "@/lib/regions/io"

const ownPassword = "correct horse battery staple"
const nextPassword = "an entirely different sentence"

describe("a session", () => {
  test("is read with three statements, and once a minute one that records its use", async () => {
    const { cookie } = await newMember(await newWorld(), "viewer")
    const texts = await statementsOf(() => api("GET /v1/session", { cookie }))
    const kinds = texts.map((text) => /count_in_windows/.exec(text)?.[0] ?? text.split(" ")[0])
    expect(kinds).toEqual(["SELECT", "UPDATE", "count_in_windows", "SELECT"])
  })

  test("is read once for requests that come at once, as those of a page do", async () => {
    const { cookie } = await newMember(await newWorld(), "viewer")
    const texts = await statementsOf(() =>
      Promise.all(Array.from({ length: 12 }, () => api("GET /v1/session", { cookie }))),
    )
    expect(texts.filter((text) => text.includes("LEFT JOIN members m"))).toHaveLength(1)
  })

  test("answers the user, with organizations, roles and projects", async () => {
    const world = await newWorld()
    const viewer = await newMember(world, "viewer")
    const { status, json } = await api("GET /v1/session", { cookie: viewer.cookie })
    expect(status).toBe(200)
    expect(json.organizations).toMatchObject([
      { role: "viewer", projects: [{ id: world.project, region: "eu-west-1" }] },
    ])
    expect(JSON.stringify(json)).not.toMatch(/password_hash|argon2/)
  })

  test("is nothing that a key has", async () => {
    const { apiKey } = await newWorld()
    for (const route of ["GET /v1/session", "DELETE /v1/sessions"] as const) {
      const { status, json } = await api(route, { key: apiKey })
      expectProblem({ status, json }, 403, "auth.session_required")
    }
  })

  test.each([
    ["24 hours without use", "last_seen_at = now() - interval '24 hours 1 second'"],
    ["14 days, used or not", "expires_at = now() - interval '1 second'"],
    ["being revoked", "revoked_at = now()"],
  ])("ends after %s, within a second", async (_, change) => {
    const { userId } = await newWorld()
    const cookie = await newSession(userId)
    expect((await api("GET /v1/session", { cookie })).status).toBe(200)
    await pool().query(`UPDATE sessions SET ${change} WHERE user_id = $1`, [userId])
    await expectWithin(1_200, async () => (await api("GET /v1/session", { cookie })).status, 401)
  })

  test("lasts 14 days at most, from the moment of signing in", async () => {
    const { userId } = await newWorld()
    const { json } = await api("GET /v1/session", { cookie: await newSession(userId) })
    expect(Date.parse(json.expiresAt) - Date.parse(json.createdAt)).toBe(14 * 86_400_000)
  })

  test("of a removed member sees the project no more, within a second", async () => {
    const world = await newWorld()
    const { userId, cookie } = await newMember(world, "developer")
    const params = { projectId: world.project }
    expect((await api("GET /v1/projects/{projectId}", { cookie, params })).status).toBe(200)
    await pool().query("DELETE FROM members WHERE user_id = $1", [userId])
    await expectWithin(1_200, async () => (await api("GET /v1/projects/{projectId}", { cookie, params })).status, 404)
  })

  test("that is made up, changed or of another secret is 401", async () => {
    const { userId } = await newWorld()
    const cookie = await newSession(userId)
    for (const forged of [
      `${cookie.slice(0, -3)}abc`,
      "mailroom.session=abc",
      `mailroom.session=${randomUUID()}`,
      "mailroom.session=",
    ]) {
      expect((await api("GET /v1/session", { cookie: forged })).status).toBe(401)
    }
  })
})

describe("a person's own name", () => {
  test("can be changed by the user, even if none was set, and is shown everywhere at once", async () => {
    const world = await newWorld()
    const { userId, cookie } = await newMember(world, "viewer")
    expect((await api("GET /v1/session", { cookie })).json.user.name).toBeUndefined()
    const changed = await api("PATCH /v1/session", { cookie, body: { name: "  Ada Lovelace " } })
    expect({ status: changed.status, name: changed.json.user.name }).toEqual({ status: 200, name: "Ada Lovelace" })
    expect((await api("GET /v1/session", { cookie })).json.user.name).toBe("Ada Lovelace")
    const members = await api("GET /v1/projects/{projectId}/members", { cookie, params: { projectId: world.project } })
    expect(members.json.data.map(({ name }: { name?: string }) => name)).toEqual([undefined, "Ada Lovelace"])
    expect(await renamings(world.organizationId)).toEqual([
      { actor_id: userId, changes: { name: { from: null, to: "Ada Lovelace" }, targetName: changed.json.user.email } },
    ])

    await api("PATCH /v1/session", { cookie, body: { name: "Ada Lovelace" } })
    expect(await renamings(world.organizationId)).toHaveLength(1)
  })

  test.each([
    ["nothing", ""],
    ["blanks", "   "],
    ["101 characters", "x".repeat(101)],
    ["a line break, which would end the subject of an invite", "Ada\r\nBcc: eve@evil.test"],
    ["a control character", "Ada\u0007"],
    ["a line separator", "Ada\u2028Lovelace"],
  ])("is never %s", async (_, name) => {
    const { userId } = await newWorld()
    const cookie = await newSession(userId)
    const { status, json } = await api("PATCH /v1/session", { cookie, body: { name } })
    expect({ status, pointer: json.errors?.[0].pointer }).toEqual({ status: 400, pointer: "/name" })
    expect((await api("GET /v1/session", { cookie })).json.user.name).toBeUndefined()
  })

  test("is not a key's to change", async () => {
    const { apiKey } = await newWorld()
    const { status, json } = await api("PATCH /v1/session", { key: apiKey, body: { name: "Ada" } })
    expectProblem({ status, json }, 403, "auth.session_required")
  })
})

describe("signing out everywhere", () => {
  test("ends every session of the person, and nobody else's", async () => {
    const world = await newWorld()
    const other = await newMember(world, "admin")
    const [here, there] = [await newSession(world.userId), await newSession(world.userId)]
    expect((await api("DELETE /v1/sessions", { cookie: here })).status).toBe(204)
    for (const cookie of [here, there]) {
      await expectWithin(1_200, async () => (await api("GET /v1/session", { cookie })).status, 401)
    }
    expect((await api("GET /v1/session", { cookie: other.cookie })).status).toBe(200)
  })
})

describe("a change of password", () => {
  test("needs the current one, ends every other session and voids sign-in links", async () => {
    const { userId } = await withPassword()
    const [here, there] = [await newSession(userId), await newSession(userId)]
    await newSignInLink({ userId }, systemIo())
    const wrong = await change(here, { currentPassword: "not the password", newPassword: nextPassword })
    expect({ status: wrong.status, pointer: wrong.json.errors[0].pointer }).toEqual({
      status: 400,
      pointer: "/currentPassword",
    })
    expect((await change(here, { newPassword: nextPassword })).status).toBe(400)

    expect((await change(here, { currentPassword: ownPassword, newPassword: nextPassword })).status).toBe(204)
    await expectWithin(1_200, async () => (await api("GET /v1/session", { cookie: there })).status, 401)
    expect((await api("GET /v1/session", { cookie: here })).status).toBe(200)
    expect(await passwordMatches(await passwordHashOf(userId), nextPassword)).toBe(true)
    const links = await pool().query("SELECT 1 FROM sign_in_links WHERE user_id = $1", [userId])
    expect(links.rowCount).toBe(0)
  })

  test.each([
    ["11 characters", "elevenchars", 400],
    ["12 characters", "twelve chars", 204],
    ["1,024 characters", "é".repeat(1_024), 204],
    ["1,025 characters", "x".repeat(1_025), 400],
  ])("takes a new password by its length: %s", async (_, newPassword, status) => {
    const { userId } = await withPassword()
    const answer = await change(await newSession(userId), { currentPassword: ownPassword, newPassword })
    expect(answer.status).toBe(status)
    if (status === 400) expect(answer.json.errors[0].pointer).toBe("/newPassword")
  })

  test("needs no current password shortly after a sign-in link", async () => {
    const { userId } = await withPassword()
    const cookie = await newSession(userId)
    await pool().query("UPDATE sessions SET signed_in_by = 'link' WHERE user_id = $1", [userId])
    expect((await change(cookie, { newPassword: nextPassword })).status).toBe(204)
  })

  test("cannot be guessed: a session has 20 attempts", async () => {
    const { userId } = await withPassword()
    const cookie = await newSession(userId)
    for (let turn = 0; turn < signInLimits.perAccount; turn++) {
      await change(cookie, { currentPassword: "not the password", newPassword: nextPassword })
    }
    expect((await change(cookie, { currentPassword: ownPassword, newPassword: nextPassword })).status).toBe(400)
  })
})

describe("a write with the session cookie", () => {
  const project = { name: "Renamed" }
  test.each([
    ["another site", { "sec-fetch-site": "cross-site" }, 403],
    ["a sibling subdomain", { "sec-fetch-site": "same-site" }, 403],
    ["the address bar", { "sec-fetch-site": "none" }, 403],
    ["an Origin of null", { "sec-fetch-site": "", origin: "null" }, 403],
    ["a foreign Origin", { "sec-fetch-site": "", origin: "https://evil.test" }, 403],
    ["an Origin that only begins like ours", { "sec-fetch-site": "", origin: "http://localhost:3000.evil.test" }, 403],
    ["a client that names no origin", { "sec-fetch-site": "" }, 403],
    ["our own pages", { "sec-fetch-site": "same-origin" }, 200],
    [
      "our own pages in a browser without Fetch Metadata",
      { "sec-fetch-site": "", origin: "http://localhost:3000" },
      200,
    ],
  ])("from %s is judged by its origin", async (_, given, status) => {
    const world = await newWorld()
    const cookie = await newSession(world.userId)
    const headers = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ""))
    const call = { params: { projectId: world.project }, body: project, headers: { ...headers, cookie } }
    const answer = await api("PATCH /v1/projects/{projectId}", call)
    expect(answer.status).toBe(status)
    if (status === 403) expect(answer.json.code).toBe("auth.cross_origin")
  })

  test.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=a", ""])(
    "as a form can send it (%s) is 415",
    async (type) => {
      const world = await newWorld()
      const headers = { cookie: await newSession(world.userId), "sec-fetch-site": "same-origin", "content-type": type }
      const rawBody = Buffer.from(JSON.stringify(project))
      const answer = await api("PATCH /v1/projects/{projectId}", {
        params: { projectId: world.project },
        rawBody,
        headers,
      })
      expect(answer.status).toBe(415)
    },
  )

  test("is refused beside an invalid Authorization header", async () => {
    const world = await newWorld()
    const { apiKey } = await newKey(world.projectId)
    const headers = { authorization: `Bearer ${apiKey.slice(0, -1)}!` }
    expect((await api("GET /v1/session", { cookie: await newSession(world.userId), headers })).status).toBe(401)
  })

  test("opens nothing to other origins: no answer allows one", async () => {
    const { userId } = await newWorld()
    for (const origin of ["https://evil.test", "null", "http://localhost:3000.evil.test"]) {
      const { headers } = await api("GET /v1/session", { cookie: await newSession(userId), headers: { origin } })
      expect(headers.get("access-control-allow-origin")).toBeNull()
      expect(headers.get("access-control-allow-credentials")).toBeNull()
    }
  })
})

async function renamings(organizationId: string) {
  const { rows } = await pool().query(
    "SELECT actor_id, changes FROM audit_entries WHERE organization_id = $1 AND action = 'member.renamed'",
    [organizationId],
  )
  return rows
}

async function withPassword() {
  const world = await newWorld()
  await pool().query("UPDATE users SET password_hash = $2 WHERE id = $1", [
    world.userId,
    await hashPassword(ownPassword),
  ])
  return world
}

function change(cookie: string, body: { currentPassword?: string; newPassword: string }) {
  return api("POST /v1/session/password", { cookie, body })
}
