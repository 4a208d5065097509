import { randomInt, randomUUID } from "node:crypto"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { api, newWorld } from "@/e2e/support/world"
import { handleAuth } from "@/lib/access/credentials/auth-handler"
import { sessionCookieName } from "@/lib/access/credentials/session"
import { identityProvider, testClient, type Misdeed, type TestProvider } from "@/e2e/support/access/identity-provider"
import { sha256 } from "@/lib/platform/crypto"
import { pool } from "@/lib/platform/database/db"
import { provideEnv } from "@/lib/platform/env/env"
import { newId } from "@/lib/platform/ids"

const refusedCodes = "http://localhost:3000/sign-in?refused"
let provider: TestProvider

beforeAll(async () => {
  provider = await identityProvider()
})
afterAll(() => provider.close())
beforeEach(configure)
afterEach(() => {
  delete provider.misdeed
})

describe.each(["google", "github"] as const)("signing in with %s", (name) => {
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

  test.each([
    "state",
    "refuses",
    ...(name === "google" ? (["nonce", "signature", "audience"] as const) : []),
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
    expect(Boolean(asked.get("nonce"))).toBe(name === "google")
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

type Coming = { email?: string; subject?: string; verified?: boolean; callbackUrl?: string }

async function come(name: string, coming: Coming) {
  const { back, cookies } = await begin(name, coming)
  return finish(back, cookies)
}

async function begin(
  name: string,
  { email, subject = newSubject(), verified = true, callbackUrl }: Coming,
  query = "",
) {
  provider.person = { subject, verified, ...(email && { email }) }
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
  provideEnv({
    GITHUB_CLIENT_ID: testClient.id,
    GITHUB_CLIENT_SECRET: testClient.secret,
    GITHUB_URL: origin,
    GOOGLE_CLIENT_ID: testClient.id,
    GOOGLE_CLIENT_SECRET: testClient.secret,
    GOOGLE_ISSUER: origin,
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
