import { randomUUID } from "node:crypto"
import { afterEach, describe, expect, test } from "vitest"
import { expectWithin } from "@/e2e/support/within"
import { api, newMember, newSession, newWorld, type World } from "@/e2e/support/world"
import { invitesPerDay } from "@/lib/access/invites/data"
import { claimSystemMails } from "@/lib/access/system-mail/data"
import { pool } from "@/lib/platform/database/db"
import { provideEnv } from "@/lib/platform/env/env"

const inviteRoute = "POST /v1/projects/{projectId}/invites"
const ownPassword = "correct horse battery staple"

afterEach(() => provideEnv({ SMTP_URL: "" }))

describe("an invite", () => {
  test("makes the account and the membership with its role, once", async () => {
    const { world, cookie } = await owner()
    const email = newAddress()
    const invite = await inviteTo(world, cookie, email.toUpperCase(), "developer")
    expect(invite.status).toBe(201)
    expect(invite.json).toMatchObject({
      email,
      role: "developer",
      mailed: false,
      url: expect.stringMatching(/^http:\/\/localhost:3000\/invite\?token=[\w-]{43}$/),
    })
    expect(Math.round((Date.parse(invite.json.expiresAt) - Date.now()) / 86_400_000)).toBe(7)
    const first = await accept(tokenOf(invite))
    expect({ status: first.status, json: first.json }).toEqual({ status: 200, json: { email } })
    expect(await membership(email)).toEqual({ role: "developer", organization_id: world.organizationId })
    expect((await accept(tokenOf(invite))).json.code).toBe("invite.not_found")
    const joined = await newSession((await userId(email)) ?? "")
    expect(
      (await api("POST /v1/session/invites", { cookie: joined, body: { token: tokenOf(invite) } })).json.code,
    ).toBe("invite.not_found")
  })

  test("accepted by twenty at once makes one account", async () => {
    const { world, cookie } = await owner()
    const token = tokenOf(await inviteTo(world, cookie, newAddress()))
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => accept(token, { "x-client-ip": `198.51.100.${n}` })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test.each([
    ["revoked", "revoked_at = now()"],
    ["older than 7 days", "expires_at = now() - interval '1 second'"],
  ])("that is %s opens nothing", async (_, change) => {
    const { world, cookie } = await owner()
    const email = newAddress()
    const token = tokenOf(await inviteTo(world, cookie, email))
    await pool().query(`UPDATE invites SET ${change} WHERE email = $1`, [email])
    expect((await accept(token)).json.code).toBe("invite.not_found")
    expect(await userId(email)).toBeUndefined()
  })

  test("is replaced by a new one to the same address: the earlier link is void", async () => {
    const { world, cookie } = await owner()
    const email = newAddress()
    const [first, second] = [
      await inviteTo(world, cookie, email, "admin"),
      await inviteTo(world, cookie, email, "viewer"),
    ]
    const list = await api("GET /v1/projects/{projectId}/invites", { cookie, params: { projectId: world.project } })
    expect(list.json.data.map(({ id, role }: { id: string; role: string }) => [id, role])).toEqual([
      [second.json.id, "viewer"],
    ])
    expect((await accept(tokenOf(first))).status).toBe(404)
    expect((await accept(tokenOf(second))).status).toBe(200)
  })

  test("to the same address sent at once leaves one that works", async () => {
    const { world, cookie } = await owner()
    const email = newAddress()
    const sent = await Promise.all(Array.from({ length: 8 }, () => inviteTo(world, cookie, email)))
    expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([201]))
    const answers = []
    for (const invite of sent) answers.push((await accept(tokenOf(invite))).status)
    expect(answers.filter((status) => status === 200)).toHaveLength(1)
  })

  test("is stored as a hash alone, and is in no list and no audit entry", async () => {
    const { world, cookie } = await owner()
    const token = tokenOf(await inviteTo(world, cookie, newAddress()))
    const invites = await pool().query(
      "SELECT row_to_json(i)::text AS text FROM invites i WHERE organization_id = $1",
      [world.organizationId],
    )
    const audit = await pool().query(
      "SELECT row_to_json(a)::text AS text FROM audit_entries a WHERE organization_id = $1",
      [world.organizationId],
    )
    const list = await api("GET /v1/projects/{projectId}/invites", { cookie, params: { projectId: world.project } })
    const kept = JSON.stringify([invites.rows, audit.rows, list.json])
    expect(kept).toContain("invite.created")
    expect(kept).not.toContain(token)
    expect(kept).not.toContain(Buffer.from(token).toString("hex"))
  })

  test("goes by email where mail can leave, and then its link is shown to nobody else", async () => {
    provideEnv({ SMTP_URL: "smtp://127.0.0.1:9?tls=none" })
    const { world, cookie } = await owner()
    const email = newAddress()
    const { json } = await inviteTo(world, cookie, email, "admin")
    expect({ mailed: json.mailed, url: json.url }).toEqual({ mailed: true, url: undefined })
    const [queued] = await claimSystemMails(10, 1_000)
    expect(queued?.mail).toMatchObject({
      kind: "invite",
      to: email,
      role: "admin",
      url: expect.stringContaining("http://localhost:3000/invite?token="),
    })
    await pool().query("DELETE FROM system_mails")
  })
})

describe("an invite to somebody with an account", () => {
  test("takes the account's own session, and makes no second account", async () => {
    const { world, cookie } = await owner()
    const invited = await newWorld()
    const email = await addressOf(invited.userId)
    const token = tokenOf(await inviteTo(world, cookie, email, "viewer"))
    expect((await accept(token)).json.code).toBe("invite.account_exists")
    const session = await newSession(invited.userId)
    const joined = await api("POST /v1/session/invites", { cookie: session, body: { token } })
    expect(joined.status).toBe(200)
    await expectWithin(
      1_500,
      async () => (await api("GET /v1/session", { cookie: session })).json.organizations.length,
      2,
    )
    expect((await inviteTo(world, cookie, email)).json.code).toBe("member.already_exists")
  })

  test("cannot be accepted by somebody else", async () => {
    const { world, cookie } = await owner()
    const [invited, other] = [await newWorld(), await newWorld()]
    const token = tokenOf(await inviteTo(world, cookie, await addressOf(invited.userId)))
    const wrong = await api("POST /v1/session/invites", { cookie: await newSession(other.userId), body: { token } })
    const unknown = await api("POST /v1/session/invites", {
      cookie: await newSession(other.userId),
      body: { token: "unknown" },
    })
    expect({ status: wrong.status, detail: wrong.json.detail }).toEqual({ status: 404, detail: unknown.json.detail })
    expect(
      (await api("POST /v1/session/invites", { cookie: await newSession(invited.userId), body: { token } })).status,
    ).toBe(200)
  })
})

describe("inviting", () => {
  test.each([
    ["owner", "owner", 201],
    ["owner", "viewer", 201],
    ["admin", "owner", 403],
    ["admin", "admin", 201],
    ["developer", "viewer", 403],
    ["viewer", "viewer", 403],
  ] as const)("by a %s as %s is %i", async (actor, role, status) => {
    const { world } = await owner()
    const { cookie } = await newMember(world, actor)
    expect((await inviteTo(world, cookie, newAddress(), role)).status).toBe(status)
  })

  test("by an admin cannot replace or revoke the invite of an owner", async () => {
    const { world, cookie } = await owner()
    const admin = await newMember(world, "admin")
    const email = newAddress()
    const { json } = await inviteTo(world, cookie, email, "owner")
    expect((await inviteTo(world, admin.cookie, email, "viewer")).status).toBe(403)
    expect((await revoke(world, admin.cookie, json.id)).status).toBe(403)
    expect((await revoke(world, cookie, json.id)).status).toBe(204)
    expect((await revoke(world, cookie, json.id)).json.code).toBe("invite.not_found")
  })

  test.each(["a", "a@b", "a@example.com,b@example.com", "a@example.com\nBcc: b@example.com", ""])(
    "%j is refused with its pointer",
    async (email) => {
      const { world, cookie } = await owner()
      const { status, json } = await inviteTo(world, cookie, email)
      expect({ status, pointer: json.errors[0].pointer }).toEqual({ status: 400, pointer: "/email" })
    },
  )

  test("is refused after 100 in a day, with a time to wait", async () => {
    const { world, cookie } = await owner()
    await pool().query(
      `INSERT INTO invites (id, organization_id, email, role, token_hash, expires_at, revoked_at)
        SELECT gen_random_uuid(), $1::uuid, n || '@example.com', 'viewer', sha256(($1::text || n)::bytea), now(), now() FROM generate_series(1, $2) n`,
      [world.organizationId, invitesPerDay],
    )
    const { status, json, headers } = await inviteTo(world, cookie, newAddress())
    expect({ status, code: json.code, retryAfter: headers.get("retry-after") }).toEqual({
      status: 429,
      code: "invite.too_many",
      retryAfter: "3600",
    })
  })

  test("by key, or into another organization, is refused", async () => {
    const [{ world }, other] = [await owner(), await newWorld()]
    const body = { email: newAddress(), role: "viewer" }
    expect((await api(inviteRoute, { key: world.apiKey, params: { projectId: world.project }, body })).json.code).toBe(
      "auth.session_required",
    )
    expect(
      (await api(inviteRoute, { cookie: await newSession(other.userId), params: { projectId: world.project }, body }))
        .status,
    ).toBe(404)
  })
})

test("tokens cannot be guessed: a client address has 20 failed attempts", async () => {
  const headers = { "x-client-ip": "203.0.113.210" }
  const { world, cookie } = await owner()
  const token = tokenOf(await inviteTo(world, cookie, newAddress()))
  for (let turn = 0; turn < 20; turn++) expect((await accept(`guess-${turn}`, headers)).status).toBe(404)
  expect((await accept(token, headers)).status).toBe(404)
  expect((await accept(token)).status).toBe(200)
})

async function owner() {
  const world = await newWorld()
  return { world, cookie: await newSession(world.userId) }
}

function inviteTo(world: World, cookie: string, email: string, role = "viewer") {
  return api(inviteRoute, { cookie, params: { projectId: world.project }, body: { email, role } })
}

function revoke(world: World, cookie: string, inviteId: string) {
  return api("DELETE /v1/projects/{projectId}/invites/{inviteId}", {
    cookie,
    params: { projectId: world.project, inviteId },
  })
}

function accept(token: string, headers: Record<string, string> = {}) {
  return api("POST /v1/invites/accept", {
    body: { token, name: "Ada", password: ownPassword },
    headers: { "x-client-ip": "198.51.100.99", ...headers },
  })
}

function tokenOf({ json }: { json: { url: string } }): string {
  return new URL(json.url).searchParams.get("token") ?? ""
}

function newAddress(): string {
  return `invited-${randomUUID()}@example.com`
}

async function userId(email: string): Promise<string | undefined> {
  return (await pool().query("SELECT id FROM users WHERE email = $1", [email])).rows[0]?.id
}

async function addressOf(id: string): Promise<string> {
  return (await pool().query("SELECT email FROM users WHERE id = $1", [id])).rows[0].email
}

async function membership(email: string) {
  return (
    await pool().query(
      "SELECT m.role, m.organization_id FROM members m JOIN users u ON u.id = m.user_id WHERE u.email = $1",
      [email],
    )
  ).rows[0]
}
