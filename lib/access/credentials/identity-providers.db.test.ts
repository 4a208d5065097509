import { randomInt, randomUUID } from "node:crypto"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest"
import { expectWithin } from "@/e2e/support/within"
import { api, newSession, newWorld, type World } from "@/e2e/support/world"
import { handleAuth } from "@/lib/access/credentials/auth-handler"
import { sessionCookieName } from "@/lib/access/credentials/session"
import { identityProvider, testClient, type Misdeed, type TestProvider } from "@/e2e/support/access/identity-provider"
import { sha256 } from "@/lib/platform/crypto"
import { pool } from "@/lib/platform/database/db"
import { provideEnv } from "@/lib/platform/env/env"
import { encodeId, newId } from "@/lib/platform/ids"

const refusedCodes = "http://localhost:3000/sign-in?refused"
let provider: TestProvider
let groupRoles: string[]

beforeAll(async () => {
  provider = await identityProvider()
})
afterAll(() => provider.close())
beforeEach(configure)
afterEach(() => {
  delete provider.misdeed
})

describe.each(["google", "github", "oidc"] as const)("signing in with %s", (name) => {
  test("lets a user in by the verified address, with a session that the API takes, on the page that was wanted", async () => {
    const { email } = await person()
    const { location, cookie } = await come(name, { email, callbackUrl: "/projects/x?y=1" })
    expect(location).toBe("http://localhost:3000/projects/x?y=1")
    expect((await api("GET /v1/session", { cookie })).json.user.email).toBe(email)
  })

  test("takes the address in any case, and the same account again", async () => {
    const { email } = await person()
    const subject = newSubject()
    for (const written of [email, email.toUpperCase()])
      expect((await come(name, { email: written, subject })).cookie).not.toBe("")
  })

  test("makes an invited address a user and a member, once, in the audit log", async () => {
    const world = await newWorld()
    const email = `invited-${randomUUID()}@example.com`
    await invite(world.organizationId, email, "developer")
    const { cookie } = await come(name, { email })
    const { json } = await api("GET /v1/session", { cookie })
    expect(json.organizations).toMatchObject([{ role: "developer", projects: [{ id: world.project }] }])
    const { rows } = await pool().query(
      "SELECT count(*)::int AS joined FROM audit_entries WHERE organization_id = $1 AND action = 'member.joined'",
      [world.organizationId],
    )
    expect(rows).toEqual([{ joined: 1 }])
  })

  test.each([
    ["an address that is no user and not invited", async () => ({ email: `${randomUUID()}@example.com` })],
    ["an address that is not verified", async () => ({ email: (await person()).email, verified: false })],
    ["no address", async () => ({ email: undefined })],
    ["an invite that is over", async () => ({ email: await invitedLate() })],
    ["an invite that was revoked", async () => ({ email: await invitedNoMore() })],
  ])("refuses %s like everything else", async (_, claims) => {
    const { location, cookie } = await come(name, await claims())
    expect({ location, cookie }).toEqual({ location: refusedCodes, cookie: "" })
  })

  test("refuses another account that shows the address of a user who is bound to one", async () => {
    const { email } = await person()
    expect((await come(name, { email })).cookie).not.toBe("")
    expect((await come(name, { email })).location).toBe(refusedCodes)
  })

  test("refuses an account that is bound to a user and shows the address of another", async () => {
    const subject = newSubject()
    expect((await come(name, { email: (await person()).email, subject })).cookie).not.toBe("")
    expect((await come(name, { email: (await person()).email, subject })).location).toBe(refusedCodes)
  })

  test("signs its user in when the address of the account has changed to one that nobody has", async () => {
    const { email } = await person()
    const subject = newSubject()
    expect((await come(name, { email, subject })).cookie).not.toBe("")
    const { cookie } = await come(name, { email: `married-${randomUUID()}@example.com`, subject })
    expect((await api("GET /v1/session", { cookie })).json.user.email).toBe(email)
  })

  test.each([
    "state",
    "refuses",
    ...(name === "github" ? [] : (["nonce", "signature", "audience", "issuer"] as const)),
    ...(name === "oidc" ? (["renamed"] as const) : []),
  ] as Misdeed[])("refuses an answer with the wrong %s", async (misdeed) => {
    provider.misdeed = misdeed
    expect(await come(name, { email: (await person()).email })).toMatchObject({ location: refusedCodes, cookie: "" })
  })

  test("needs the cookies of the browser that began: an answer cannot be planted in another one", async () => {
    const { email } = await person()
    const { back } = await begin(name, { email })
    expect((await finish(back, "")).location).toBe(refusedCodes)
  })

  test("takes an answer once", async () => {
    const { email } = await person()
    const { back, cookies } = await begin(name, { email })
    expect((await finish(back, cookies)).cookie).not.toBe("")
    expect((await finish(back, cookies)).location).toBe(refusedCodes)
  })

  test.each([
    "//evil.test",
    "/\\evil.test",
    "https:evil",
    "https://evil.test/",
    "/%2f%2fevil",
    "javascript:alert(1)",
    "/%0d%0aLocation:evil",
    "http://localhost:3000.evil.test/",
  ])("never leads to %s", async (callbackUrl) => {
    const { location } = await come(name, { email: (await person()).email, callbackUrl })
    const target = new URL(location)
    expect([target.origin, decodeURIComponent(target.pathname)]).not.toContain("evil")
    expect(target.origin).toBe("http://localhost:3000")
    expect(location).toMatch(/^http:\/\/localhost:3000\/(?![/\\])/)
  })

  test("must begin on our own page", async () => {
    const response = await handleAuth(
      request("POST", `signin/${name}`, { headers: { "sec-fetch-site": "cross-site" }, body: {} }),
    )
    expect(response.status).toBe(403)
    const forged = await handleAuth(request("POST", `signin/${name}`, { body: { csrfToken: "forged" } }))
    expect(forged.status).toBe(403)
  })

  test("sends state and PKCE, and nothing that the request smuggles in", async () => {
    const { address } = await begin(name, { email: "a@example.com" }, "?scope=repo&redirect_uri=https://evil.test")
    const asked = new URL(address).searchParams
    expect(asked.get("code_challenge_method")).toBe("S256")
    expect(asked.get("state")).toMatch(/.{20}/)
    expect(asked.getAll("redirect_uri")).toEqual([`http://localhost:3000/api/auth/callback/${name}`])
    expect(asked.get("scope")).not.toContain("repo")
    expect(Boolean(asked.get("nonce"))).toBe(name !== "github")
  })
})

test("a provider that does not answer is 503, and without configuration there is none", async () => {
  provideEnv({ GOOGLE_ISSUER: "http://127.0.0.1:9" })
  const csrf = await handleAuth(request("GET", "csrf"))
  const { csrfToken } = (await csrf.json()) as { csrfToken: string }
  const response = await handleAuth(
    request("POST", "signin/google", { body: { csrfToken }, headers: { cookie: cookiesOf(csrf) } }),
  )
  expect({ status: response.status, retryAfter: response.headers.get("retry-after") }).toEqual({
    status: 503,
    retryAfter: "5",
  })
  provideEnv({ GOOGLE_CLIENT_ID: "", GOOGLE_CLIENT_SECRET: "" })
  expect((await handleAuth(request("GET", "callback/google"))).status).toBe(404)
})

test("a provider that goes silent when a code is exchanged leads to the sign-in page, which says so", async () => {
  provider.misdeed = "silent"
  const { location, cookie } = await come("oidc", { email: (await person()).email })
  expect({ location, cookie }).toEqual({ location: "http://localhost:3000/sign-in?unreachable", cookie: "" })
})

test("a provider that sends without end is not waited for", async () => {
  provider.misdeed = "endless"
  const brief = AbortSignal.timeout(300)
  const limit = vi.spyOn(AbortSignal, "timeout").mockReturnValue(brief)
  const csrf = await handleAuth(request("GET", "csrf"))
  const { csrfToken } = (await csrf.json()) as { csrfToken: string }
  const headers = { cookie: cookiesOf(csrf) }
  const response = await handleAuth(request("POST", "signin/oidc", { body: { csrfToken }, headers }))
  limit.mockRestore()
  expect(response.status).toBe(503)
})

test("an account of OpenID Connect signs in under the name of its provider, and another issuer has accounts of its own", async () => {
  const { email, userId } = await person()
  const { cookie } = await come("oidc", { email, subject: "of both" })
  const { json } = await api("GET /v1/sessions", { cookie })
  expect(json.data).toMatchObject([{ signedInBy: "oidc", provider: "Acme ID" }])
  const { rows } = await pool().query("SELECT provider, subject FROM identities WHERE user_id = $1", [userId])
  expect(rows).toEqual([{ provider: provider.origin, subject: "of both" }])
})

describe("groups of OpenID Connect", () => {
  test("give a stranger an account and the highest role of each organization, which the audit log says", async () => {
    const [one, two] = [await newWorld(), await newWorld()]
    giveRoles(one, "staff:viewer", "mail:admin")
    giveRoles(two, "staff:developer")
    const email = `grouped-${randomUUID()}@example.com`
    const { cookie } = await come("oidc", { email, groups: ["mail", "staff", "unknown"] })
    expect(await rolesOf(cookie)).toEqual({ [one.project]: "admin", [two.project]: "developer" })
    expect(await auditedOf(one)).toEqual([["member.joined", "user", { role: "admin", by: "oidc", targetName: email }]])
  })

  test("change and withdraw what they have given, at the next sign-in, and end every session of who has nothing left", async () => {
    const world = await newWorld()
    giveRoles(world, "staff:viewer", "mail:admin")
    const account = { email: `moving-${randomUUID()}@example.com`, subject: newSubject() }
    const first = await come("oidc", { ...account, groups: ["mail"] })
    const second = await come("oidc", { ...account, groups: ["staff"] })
    expect(await rolesOf(second.cookie)).toEqual({ [world.project]: "viewer" })
    expect((await api("GET /v1/session", { cookie: first.cookie })).status).toBe(200)
    const third = await come("oidc", account)
    expect(await rolesOf(third.cookie)).toEqual({})
    await expectWithin(1_200, async () => (await api("GET /v1/session", { cookie: second.cookie })).status, 401)
    expect((await auditedOf(world)).slice(1)).toEqual([
      [
        "member.role_changed",
        "system",
        { role: { from: "admin", to: "viewer" }, by: "oidc", targetName: account.email },
      ],
      ["member.removed", "system", { role: "viewer", by: "oidc", targetName: account.email }],
    ])
  })

  test("go on giving roles when the address of the account has changed, under the address of the user", async () => {
    const world = await newWorld()
    giveRoles(world, "staff:viewer", "mail:admin")
    const account = { email: `before-${randomUUID()}@example.com`, subject: newSubject() }
    await come("oidc", { ...account, groups: ["mail"] })
    const after = { ...account, email: `after-${randomUUID()}@example.com` }
    const { cookie } = await come("oidc", { ...after, groups: ["staff"] })
    expect(await rolesOf(cookie)).toEqual({ [world.project]: "viewer" })
    expect((await auditedOf(world)).at(-1)).toEqual([
      "member.role_changed",
      "system",
      { role: { from: "admin", to: "viewer" }, by: "oidc", targetName: account.email },
    ])
  })

  test("leave a membership alone that came by invite, or whose role somebody has set", async () => {
    const [invited, changed] = [await newWorld(), await newWorld()]
    giveRoles(invited, "mail:owner")
    giveRoles(changed, "mail:viewer")
    const account = { email: `kept-${randomUUID()}@example.com`, subject: newSubject(), groups: ["mail"] }
    await invite(invited.organizationId, account.email, "viewer")
    const { cookie } = await come("oidc", account)
    expect(await rolesOf(cookie)).toEqual({ [invited.project]: "viewer", [changed.project]: "viewer" })
    const { user } = (await api("GET /v1/session", { cookie })).json
    const owner = await newSession(changed.userId)
    const params = { projectId: changed.project, userId: user.id }
    const members = (await api("GET /v1/projects/{projectId}/members", { cookie: owner, params })).json.data
    expect(members.map((one: { fromGroup: boolean }) => one.fromGroup)).toEqual([false, true])
    const body = { role: "developer" }
    await api("PATCH /v1/projects/{projectId}/members/{userId}", { cookie: owner, params, body })
    const again = await come("oidc", { ...account, groups: [] })
    expect(await rolesOf(again.cookie)).toEqual({ [invited.project]: "viewer", [changed.project]: "developer" })
  })

  test("take nothing from the last owner, and from another owner they do", async () => {
    const world = await newWorld()
    giveRoles(world, "heads:owner", "staff:viewer")
    const account = { email: `last-${randomUUID()}@example.com`, subject: newSubject() }
    await come("oidc", { ...account, groups: ["heads"] })
    await pool().query("DELETE FROM members WHERE organization_id = $1 AND user_id = $2", [
      world.organizationId,
      world.userId,
    ])
    for (const groups of [["staff"], []])
      expect(await rolesOf((await come("oidc", { ...account, groups })).cookie)).toEqual({ [world.project]: "owner" })
    await pool().query("INSERT INTO members (organization_id, user_id, role) VALUES ($1, $2, 'owner')", [
      world.organizationId,
      world.userId,
    ])
    expect(await rolesOf((await come("oidc", { ...account, groups: ["staff"] })).cookie)).toEqual({
      [world.project]: "viewer",
    })
  })

  test("let in nobody whose address is not verified, who has no group of ours, or who comes by another provider", async () => {
    const world = await newWorld()
    giveRoles(world, "staff:viewer")
    const email = `refused-${randomUUID()}@example.com`
    expect((await come("oidc", { email, groups: ["staff"], verified: false })).location).toBe(refusedCodes)
    expect((await come("oidc", { email, groups: ["others"] })).location).toBe(refusedCodes)
    expect((await come("google", { email, groups: ["staff"] })).location).toBe(refusedCodes)
  })
})

/** Adds what groups give in an organization to OIDC_ROLES. */
function giveRoles({ organizationId }: World, ...roles: `${string}:${string}`[]) {
  const given = roles.map((one) => one.replace(":", `=${encodeId("org", organizationId)}:`))
  groupRoles.push(...given)
  provideEnv({ OIDC_ROLES: groupRoles.join(", ") })
}

/** Role by project, as the session shows them. */
async function rolesOf(cookie: string): Promise<Record<string, string>> {
  const { json } = await api("GET /v1/session", { cookie })
  type Organization = { role: string; projects: { id: string }[] }
  return Object.fromEntries(json.organizations.map((one: Organization) => [one.projects[0]?.id, one.role]))
}

/** What the audit log has about members: action, kind of the actor, changes. */
async function auditedOf({ organizationId }: World): Promise<unknown[]> {
  const { rows } = await pool().query<{ action: string; actor_kind: string; changes: unknown }>(
    "SELECT action, actor_kind, changes FROM audit_entries WHERE organization_id = $1 AND action LIKE 'member.%' ORDER BY id",
    [organizationId],
  )
  return rows.map(({ action, actor_kind, changes }) => [action, actor_kind, changes])
}

type Coming = { email?: string; subject?: string; verified?: boolean; callbackUrl?: string; groups?: string[] }

async function come(name: string, coming: Coming) {
  const { back, cookies } = await begin(name, coming)
  return finish(back, cookies)
}

async function begin(
  name: string,
  { email, subject = newSubject(), verified = true, callbackUrl, groups }: Coming,
  query = "",
) {
  provider.person = { subject, verified, ...(email && { email }), ...(groups && { groups }) }
  const csrf = await handleAuth(request("GET", "csrf"))
  const { csrfToken } = (await csrf.json()) as { csrfToken: string }
  const body = { csrfToken, ...(callbackUrl && { callbackUrl }) }
  const began = await handleAuth(
    request("POST", `signin/${name}${query}`, { body, headers: { cookie: cookiesOf(csrf) } }),
  )
  const { url: address } = (await began.json()) as { url: string }
  return { address, back: await provider.authorize(address), cookies: [cookiesOf(csrf), cookiesOf(began)].join("; ") }
}

async function finish(back: string, cookie: string) {
  const headers = { cookie, "x-client-ip": "127.0.0.8", "sec-fetch-site": "cross-site" }
  const response = await handleAuth(new Request(back, { headers }))
  const session = response.headers
    .getSetCookie()
    .map((one) => one.split(";")[0] ?? "")
    .find((one) => one.startsWith(`${sessionCookieName()}=`))
  return { location: response.headers.get("location") ?? "", cookie: session ?? "", status: response.status }
}

function request(
  method: string,
  action: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: object } = {},
) {
  const usual = {
    "x-client-ip": "127.0.0.8",
    ...(body && { "content-type": "application/json", "sec-fetch-site": "same-origin" }),
  }
  return new Request(`http://localhost:3000/api/auth/${action}`, {
    method,
    headers: { ...usual, ...headers },
    body: body && JSON.stringify(body),
  })
}

function cookiesOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ")
}

function configure() {
  const { origin } = provider
  groupRoles = []
  provideEnv({
    GITHUB_CLIENT_ID: testClient.id,
    GITHUB_CLIENT_SECRET: testClient.secret,
    GITHUB_URL: origin,
    GOOGLE_CLIENT_ID: testClient.id,
    GOOGLE_CLIENT_SECRET: testClient.secret,
    GOOGLE_ISSUER: origin,
    OIDC_CLIENT_ID: testClient.id,
    OIDC_CLIENT_SECRET: testClient.secret,
    OIDC_ISSUER: origin,
    OIDC_NAME: "Acme ID",
    OIDC_ROLES: undefined,
  })
}

async function person() {
  const { userId } = await newWorld()
  const email = `person-${randomUUID()}@example.com`
  await pool().query("UPDATE users SET email = $2 WHERE id = $1", [userId, email])
  return { userId, email }
}

async function invite(organizationId: string, email: string, role: string): Promise<string> {
  const id = newId()
  await pool().query(
    "INSERT INTO invites (id, organization_id, email, role, token_hash, expires_at) VALUES ($1, $2, $3, $4, $5, now() + interval '7 days')",
    [id, organizationId, email, role, sha256(id)],
  )
  return id
}

async function invitedLate(): Promise<string> {
  const email = `late-${randomUUID()}@example.com`
  const id = await invite((await newWorld()).organizationId, email, "viewer")
  await pool().query("UPDATE invites SET expires_at = now() - interval '1 second' WHERE id = $1", [id])
  return email
}

async function invitedNoMore(): Promise<string> {
  const email = `gone-${randomUUID()}@example.com`
  const id = await invite((await newWorld()).organizationId, email, "viewer")
  await pool().query("UPDATE invites SET revoked_at = now() WHERE id = $1", [id])
  return email
}

function newSubject(): string {
  return String(randomInt(1, 2 ** 40))
}
