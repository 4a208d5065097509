import { expectProblem } from "@/e2e/support/expect-problem"
import { randomUUID } from "node:crypto"
import { describe, expect, test, vi } from "vitest"
import { api, newWorld } from "@/e2e/support/world"
import { handleAuth } from "@/lib/access/credentials/auth-handler"
import { hashPassword } from "@/lib/access/credentials/passwords"
import { sessionCookieName } from "@/lib/access/credentials/session"
import { signInLimits } from "@/lib/access/credentials/sign-in-limits"
import { newSignInLink } from "@/lib/access/credentials/sign-in"
import { authRequest, signIn } from "@/e2e/support/access/sign-in"
import { pool } from "@/lib/platform/database/db"
import { statementsOf } from "@/e2e/support/platform/statements"
import { systemIo } from "@/lib/regions/io"

const ownPassword = "correct horse battery staple"

describe("signing in by password", () => {
  test("opens a session that the API takes, and a fresh one each time", async () => {
    const { email } = await person()
    const first = await signIn({ email, password: ownPassword })
    expect(first.status).toBe(200)
    expect((await api("GET /v1/session", { cookie: first.cookie })).json.user.email).toBe(email)
    const again = await signIn({ email: email.toUpperCase(), password: ownPassword })
    expect(again.cookie).not.toBe(first.cookie)
    expect(await sessionsOf(email)).toBe(2)
  })

  test("is in the audit log with where from, as are a failed attempt and signing out", async () => {
    const world = await newWorld()
    const email = `${randomUUID()}@example.com`
    await pool().query("UPDATE users SET email = $2, password_hash = $3 WHERE id = $1", [
      world.userId,
      email,
      await hashPassword(ownPassword),
    ])
    const from = { ip: "192.0.2.77" }
    await signIn({ email, password: "not the password" }, from)
    const { cookie } = await signIn({ email, password: ownPassword }, from)
    await signIn({}, { ...from, cookie }, "signout")
    const entries = async () => {
      const { rows } = await pool().query<{ action: string; ip: string }>(
        "SELECT action, ip FROM audit_entries WHERE organization_id = $1 AND actor_id = $2 ORDER BY action",
        [world.organizationId, world.userId],
      )
      return rows
    }
    await expect
      .poll(entries, { timeout: 20_000 })
      .toEqual(["user.sign_in_failed", "user.signed_in", "user.signed_out"].map((action) => ({ action, ...from })))
  })

  test("replaces a session that the browser held before: a planted one cannot be shared", async () => {
    const { email } = await person()
    const before = await signIn({ email, password: ownPassword })
    const after = await signIn({ email, password: ownPassword }, { cookie: before.cookie })
    expect(after.cookie).not.toBe(before.cookie)
    await expect.poll(async () => (await api("GET /v1/session", { cookie: before.cookie })).status).toBe(401)
    expect((await api("GET /v1/session", { cookie: after.cookie })).status).toBe(200)
  })

  test("the cookie is HttpOnly, SameSite=Lax, for the whole host and holds the session's id alone", async () => {
    const { email } = await person()
    const { setCookie } = await signIn({ email, password: ownPassword })
    const session = setCookie.find((cookie) => cookie.startsWith(`${sessionCookieName()}=`)) ?? ""
    expect(session).toMatch(/HttpOnly/)
    expect(session).toMatch(/SameSite=Lax/)
    expect(session).toMatch(/Path=\//)
    expect(session).not.toMatch(/Domain=/i)
    expect(session).not.toContain(Buffer.from(email).toString("base64"))
  })

  test("is 503 with Retry-After while the database cannot write, and works again after", async () => {
    const { email } = await person()
    const full = Object.assign(new Error("could not extend file: No space left on device"), { code: "53100" })
    const query = vi.spyOn(pool(), "query").mockRejectedValue(full as never)
    const refused = await signIn({ email, password: ownPassword })
    query.mockRestore()
    expectProblem(refused, 503, "service.unavailable")
    expect((await signIn({ email, password: ownPassword })).status).toBe(200)
  })

  test.each([
    ["a wrong password", async () => ({ email: (await person()).email, password: "not the password" })],
    ["an unknown address", async () => ({ email: `${randomUUID()}@example.com`, password: ownPassword })],
    ["a user without a password", async () => ({ email: (await person(null)).email, password: ownPassword })],
    ["an address that no database can hold", async () => ({ email: `a\0${"😀".repeat(300)}`, password: ownPassword })],
    ["an empty password", async () => ({ email: (await person()).email, password: "" })],
    ["an object in place of the address", async () => ({ email: { $gt: "" }, password: ownPassword })],
    ["two addresses", async () => ({ email: `${(await person()).email},b@example.com`, password: ownPassword })],
    ["a password of 1,025 characters", async () => ({ email: (await person()).email, password: "x".repeat(1_025) })],
    ["nothing", async () => ({})],
  ])("refuses %s with the same words", async (_, fields) => {
    const answer = await signIn(await fields())
    expect(answer.status).toBe(401)
    const { code, title, detail, errors } = answer.json
    expect({ code, title, detail, errors }).toMatchInlineSnapshot(`
      {
        "code": "auth.sign_in_refused",
        "detail": "Incorrect email or password. After too many failed attempts, wait 15 minutes. A sign-in link works once, within 15 minutes.",
        "errors": undefined,
        "title": "Sign-in failed",
      }
    `)
    expect(answer.cookie).toBe("")
  })

  test("unknown and known addresses cost the same statements", async () => {
    const { email } = await person()
    const known = await statementsOf(() => signIn({ email, password: "not the password" }))
    const unknown = await statementsOf(() =>
      signIn({ email: `${randomUUID()}@example.com`, password: "not the password" }),
    )
    expect(known.length).toBeGreaterThan(1)
    expect(unknown.toSorted()).toEqual(known.toSorted())
  })

  test(`an account has ${signInLimits.perAccount} failed attempts from one network, then even the right password is refused with the same words`, async () => {
    const { email } = await person()
    const bad = await signIn({ email, password: "not the password" }, { ip: "192.0.2.0" })
    for (let turn = 1; turn < signInLimits.perAccount; turn++)
      await signIn({ email, password: "not the password" }, { ip: `192.0.2.${turn}` })
    const right = await signIn({ email, password: ownPassword }, { ip: "192.0.2.99" })
    expect(right.status).toBe(401)
    expect(right.json.detail).toBe(bad.json.detail)
    const other = await person()
    expect((await signIn({ email: other.email, password: ownPassword }, { ip: "192.0.2.99" })).status).toBe(200)
  })

  test("a successful sign-in costs no attempts", async () => {
    const { email } = await person()
    for (let turn = 0; turn < signInLimits.perAccount + 3; turn++) {
      expect((await signIn({ email, password: ownPassword }, { ip: "198.51.100.7" })).status).toBe(200)
    }
  })

  test(`an address has ${signInLimits.perAddress} failed attempts over all accounts`, async () => {
    const ip = "203.0.113.77"
    await pool().query("INSERT INTO rate_windows (key, points, expire) VALUES ($1, $2, $3)", [
      `sign-in-address:${ip}`,
      signInLimits.perAddress,
      Date.now() + 60_000,
    ])
    const { email } = await person()
    expect((await signIn({ email, password: ownPassword }, { ip })).status).toBe(401)
    expect((await signIn({ email, password: ownPassword }, { ip: "203.0.113.78" })).status).toBe(200)
  })

  test("an IPv6 /64 has the failed attempts of one address, and an IPv4 address those of its mapped form", async () => {
    const { email } = await person()
    for (const [network, address, neighbour] of [
      ["2001:db8:95:7::/64", "2001:db8:95:7::abcd", "2001:db8:95:8::1"],
      ["203.0.113.79", "::ffff:cb00:714f", "203.0.113.80"],
    ]) {
      await pool().query("INSERT INTO rate_windows (key, points, expire) VALUES ($1, $2, $3)", [
        `sign-in-address:${network}`,
        signInLimits.perAddress,
        Date.now() + 60_000,
      ])
      expect((await signIn({ email, password: ownPassword }, { ip: address })).status).toBe(401)
      expect((await signIn({ email, password: ownPassword }, { ip: neighbour })).status).toBe(200)
    }
  })

  test("stores no address in the table of attempts", async () => {
    const { email } = await person()
    await signIn({ email, password: "not the password" })
    const { rows } = await pool().query("SELECT key FROM rate_windows WHERE key LIKE '%' || $1 || '%'", [email])
    expect(rows).toEqual([])
  })
})

describe("the requests that sign in", () => {
  test.each([
    ["another origin", { "sec-fetch-site": "cross-site" }],
    ["a sibling subdomain", { "sec-fetch-site": "same-site" }],
    ["an Origin of null", { "sec-fetch-site": "", origin: "null" }],
    ["no origin at all", { "sec-fetch-site": "" }],
  ])("are refused from %s", async (_, headers) => {
    const { email } = await person()
    const answer = await signIn({ email, password: ownPassword }, { headers })
    expectProblem(answer, 403, "auth.cross_origin")
  })

  test("need the form token of the same browser", async () => {
    const { email } = await person()
    const answer = await signIn({ email, password: ownPassword, csrfToken: "forged" })
    expectProblem(answer, 403, "auth.cross_origin")
  })

  test("hold at most 16 KiB of JSON", async () => {
    expect((await signIn({ email: "a@example.com", password: "x".repeat(1_000_000) })).status).toBe(413)
    const form = authRequest("POST", "callback/password", { headers: { "content-type": "text/plain" }, body: '{"a":"' })
    expect((await handleAuth(form)).status).toBe(415)
  })

  test.each(["providers", "session", "signin", "error", "_log", "verify-request", "callback/google"])(
    "know no action %s",
    async (action) => {
      expect((await handleAuth(authRequest("GET", action))).status).toBe(404)
      expect((await handleAuth(authRequest("POST", action, { body: "{}" }))).status).toBe(404)
    },
  )

  test("use BASE_URL whatever Host says, and never lead elsewhere", async () => {
    const { email } = await person()
    const headers = { host: "evil.test", "x-forwarded-host": "evil.test" }
    const answer = await signIn({ email, password: ownPassword, callbackUrl: "//evil.test/x" }, { headers })
    expect(answer.json.url).toBe("http://localhost:3000/")
    expect(answer.setCookie.join()).not.toContain("evil")
  })
})

describe("a sign-in link", () => {
  test("signs in once, and not after its time", async () => {
    const { userId } = await person()
    const { url, expiresAt } = await newSignInLink({ userId }, systemIo())
    expect(url).toMatch(/^http:\/\/localhost:3000\/sign-in\/link\?token=/)
    expect(expiresAt.getTime() - Date.now()).toBeLessThanOrEqual(15 * 60_000)
    const token = tokenOf(url)
    expect((await signIn({ token }, {}, "link")).status).toBe(200)
    expect((await signIn({ token }, {}, "link")).status).toBe(401)

    const late = tokenOf((await newSignInLink({ userId }, systemIo())).url)
    await pool().query("UPDATE sign_in_links SET expires_at = now() - interval '1 second' WHERE user_id = $1", [userId])
    expect((await signIn({ token: late }, {}, "link")).status).toBe(401)
  })

  test("used twenty times at once signs in once", async () => {
    const { userId } = await person()
    const token = tokenOf((await newSignInLink({ userId }, systemIo())).url)
    const answers = await Promise.all(
      Array.from({ length: 15 }, (_, n) => signIn({ token }, { ip: `198.51.100.${n}` }, "link")),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test("of an invited address makes the user and the member when it is used, and only while the invite is open", async () => {
    const { organizationId } = await newWorld()
    const [email, late] = [`invited-${randomUUID()}@example.com`, `late-${randomUUID()}@example.com`]
    for (const address of [email, late]) {
      await pool().query(
        "INSERT INTO invites (id, organization_id, email, role, token_hash, expires_at) VALUES (gen_random_uuid(), $1, $2, 'viewer', $3, now() + interval '1 day')",
        [organizationId, address, Buffer.from(address)],
      )
    }
    const [token, refused] = [
      tokenOf((await newSignInLink({ email }, systemIo())).url),
      tokenOf((await newSignInLink({ email: late }, systemIo())).url),
    ]
    await pool().query("UPDATE invites SET revoked_at = now() WHERE email = $1", [late])
    const { cookie } = await signIn({ token }, {}, "link")
    expect((await api("GET /v1/session", { cookie })).json).toMatchObject({
      user: { email },
      organizations: [{ role: "viewer" }],
      hasPassword: false,
    })
    expect((await signIn({ token: refused }, {}, "link")).status).toBe(401)
    expect((await pool().query("SELECT 1 FROM users WHERE email = $1", [late])).rowCount).toBe(0)
  })

  test("is void after a change of password, whether it is for the user or for the address", async () => {
    const { userId, email } = await person()
    const tokens = [
      tokenOf((await newSignInLink({ userId }, systemIo())).url),
      tokenOf((await newSignInLink({ email }, systemIo())).url),
    ]
    const { cookie } = await signIn({ email, password: ownPassword })
    const body = { currentPassword: ownPassword, newPassword: "an entirely different sentence" }
    expect((await api("POST /v1/session/password", { cookie, body })).status).toBe(204)
    for (const token of tokens) expect((await signIn({ token }, {}, "link")).status).toBe(401)
  })

  test.each(["", "x".repeat(10_000), "unknown"])("with a token of its own making opens nothing", async (token) => {
    expect((await signIn({ token }, {}, "link")).status).toBe(401)
    expect((await signIn({ token: [token] as unknown as string }, {}, "link")).status).toBe(401)
  })

  test("is stored as a hash alone", async () => {
    const { userId } = await person()
    const token = tokenOf((await newSignInLink({ userId }, systemIo())).url)
    const { rows } = await pool().query("SELECT * FROM sign_in_links WHERE user_id = $1", [userId])
    expect(JSON.stringify(rows)).not.toContain(token)
    expect(rows[0].token_hash.includes(Buffer.from(token))).toBe(false)
  })
})

test("signing out ends the row, so that a copied cookie is worth nothing", async () => {
  const { email } = await person()
  const { cookie } = await signIn({ email, password: ownPassword })
  const out = await signIn({}, { cookie }, "signout")
  expect(out.status).toBe(200)
  await expect.poll(async () => (await api("GET /v1/session", { cookie })).status).toBe(401)
  expect(await sessionsOf(email)).toBe(0)
})

async function person(password: string | null = ownPassword) {
  const { userId } = await newWorld()
  const email = `person-${randomUUID()}@example.com`
  const hash = password === null ? null : await hashPassword(password)
  await pool().query("UPDATE users SET email = $2, password_hash = $3 WHERE id = $1", [userId, email, hash])
  return { userId, email }
}

function tokenOf(url: string): string {
  return new URL(url).searchParams.get("token") ?? ""
}

async function sessionsOf(email: string): Promise<number> {
  const { rows } = await pool().query(
    "SELECT count(*)::int AS live FROM sessions s JOIN users u ON u.id = s.user_id WHERE u.email = $1 AND s.revoked_at IS NULL",
    [email],
  )
  return rows[0].live
}
