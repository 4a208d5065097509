import { randomUUID } from "node:crypto"
import { beforeAll, describe, expect, test } from "vitest"
import { authRequest, signIn, type From } from "@/e2e/support/access/sign-in"
import { oneWaits, withRival } from "@/e2e/support/platform/rival"
import { appCode, bytesOfBase32 } from "@/e2e/support/access/authenticator-app"
import { expectProblem } from "@/e2e/support/expect-problem"
import { expectWithin } from "@/e2e/support/within"
import { api, newSession, newWorld } from "@/e2e/support/world"
import { handleAuth } from "@/lib/access/credentials/auth-handler"
import { hashPassword } from "@/lib/access/credentials/passwords"
import { newSignInLink } from "@/lib/access/credentials/sign-in"
import { signInLimits } from "@/lib/access/credentials/sign-in-limits"
import { adminCommands } from "@/lib/cli/admin-commands"
import { pool } from "@/lib/platform/database/db"
import { systemIo } from "@/lib/regions/io"

const password = "correct horse battery staple"
const secondStepCookie = "mailroom.second-step="

let passwordHash: string
beforeAll(async () => {
  passwordHash = await hashPassword(password)
})

describe("the first step of signing in with a second factor", () => {
  test("opens no session: the cookie that it gives is taken by no operation and no page", async () => {
    const { email, userId } = await protectedPerson()
    const first = await signIn({ email, password })
    expectProblem(first, 401, "auth.second_step_required")
    expect(first.cookie).toBe("")
    const waiting = cookieOf(first.setCookie)
    expect(first.setCookie.find((cookie) => cookie.startsWith(secondStepCookie))).toMatch(
      /; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600/,
    )
    const token = waiting.slice(secondStepCookie.length)
    for (const cookie of [waiting, `mailroom.session=${token}`, `${waiting}; mailroom.session=${token}`])
      expect((await api("GET /v1/session", { cookie })).status).toBe(401)
    expect(await openSessionsOf(userId)).toBe(0)
  })

  test("by a link asks for it too, and the link is used up", async () => {
    const { userId } = await protectedPerson()
    const { url } = await newSignInLink({ userId }, systemIo())
    const token = new URL(url).searchParams.get("token")
    expectProblem(await signIn({ token }, {}, "link"), 401, "auth.second_step_required")
    expectProblem(await signIn({ token }, {}, "link"), 401, "auth.sign_in_refused")
    expect(await openSessionsOf(userId)).toBe(0)
  })

  test.each([
    ["an authenticator app", "INSERT INTO totp_factors (user_id, secret, confirmed_at) VALUES ($1, '\\x00', now())"],
    [
      "a first passkey",
      `INSERT INTO passkeys (id, user_id, credential_id, public_key, counter, name)
        VALUES (gen_random_uuid(), $1, 'added meanwhile', '\\x00', 0, 'Phone')`,
    ],
  ])("leaves no session behind that was being opened while %s was added", async (_, addFactor) => {
    const { email, userId } = await person()
    const first = await withRival(async (rival) => {
      await rival.query("BEGIN")
      await rival.query("SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE", [userId])
      const signingIn = signIn({ email, password })
      await oneWaits()
      await rival.query(addFactor, [userId])
      await rival.query("COMMIT")
      return signingIn
    })
    expectProblem(first, 401, "auth.second_step_required")
    expect(await openSessionsOf(userId)).toBe(0)
  })

  test("with a wrong password does not tell that the account has a second factor", async () => {
    const { email } = await protectedPerson()
    expectProblem(await signIn({ email, password: "not the password" }), 401, "auth.sign_in_refused")
  })
})

describe("the second step", () => {
  test("opens a session by the code that the app shows, once: neither the code nor the first step is taken again", async () => {
    const { email, secret, organizationId } = await protectedPerson()
    const cookie = await firstStep(email)
    const code = appCode(secret, "signing in")
    const done = await signIn({ code }, { cookie }, "second-step")
    expect(done.status).toBe(200)
    expect((await api("GET /v1/session", { cookie: done.cookie })).json.user.email).toBe(email)
    expectProblem(await signIn({ code }, { cookie }, "second-step"), 401, "auth.second_step_expired")
    expectProblem(
      await signIn({ code }, { cookie: await firstStep(email) }, "second-step"),
      401,
      "auth.second_step_refused",
    )
    expect(await entriesOf(organizationId, "user.signed_in")).toEqual([
      expect.objectContaining({ by: "password", secondFactor: "totp" }),
    ])
    expect(await entriesOf(organizationId, "user.sign_in_failed")).toHaveLength(1)
  })

  test("of two requests with one code opens one session", async () => {
    const { email, secret, userId } = await protectedPerson()
    const [one, other] = [await firstStep(email), await firstStep(email)]
    const code = appCode(secret, "signing in")
    const answers = await Promise.all([one, other, one].map((cookie) => signIn({ code }, { cookie }, "second-step")))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await openSessionsOf(userId)).toBe(1)
  })

  test("leaves the code and the first step as they were where no session could be opened", async () => {
    const { email, secret, userId } = await protectedPerson()
    const cookie = await firstStep(email)
    const code = appCode(secret, "signing in")
    await pool().query(`
      CREATE FUNCTION fail_session() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$;
      CREATE TRIGGER fail_session BEFORE INSERT ON sessions FOR EACH ROW WHEN (NEW.user_id = '${userId}')
        EXECUTE FUNCTION fail_session()`)
    const failed = await signIn({ code }, { cookie }, "second-step").catch(() => null)
    await pool().query("DROP TRIGGER fail_session ON sessions; DROP FUNCTION fail_session()")
    expect(failed?.status).not.toBe(200)
    expect((await signIn({ code }, { cookie }, "second-step")).status, "the same again").toBe(200)
    expect(await openSessionsOf(userId)).toBe(1)
  })

  test("opens a session by a recovery code, however it is typed, once", async () => {
    const { email, recoveryCodes, userId, organizationId } = await protectedPerson()
    const [code = ""] = recoveryCodes
    const spelled = ` ${code.toUpperCase().replaceAll("-", " ")} `
    expect((await signIn({ code: spelled }, { cookie: await firstStep(email) }, "second-step")).status).toBe(200)
    expectProblem(
      await signIn({ code }, { cookie: await firstStep(email) }, "second-step"),
      401,
      "auth.second_step_refused",
    )
    const { json } = await api("GET /v1/session/second-factor", { cookie: await newSession(userId) })
    expect(json.recoveryCodesLeft).toBe(9)
    expect(await entriesOf(organizationId, "user.signed_in")).toEqual([
      expect.objectContaining({ secondFactor: "recovery_code" }),
    ])
  })

  test("is nothing without a first one, after 10 minutes, or with the code of another person", async () => {
    const [ada, eve] = [await protectedPerson(), await protectedPerson()]
    expectProblem(
      await signIn({ code: appCode(ada.secret, "signing in") }, {}, "second-step"),
      401,
      "auth.second_step_expired",
    )
    const cookie = await firstStep(eve.email)
    for (const code of [appCode(ada.secret, "signing in"), ada.recoveryCodes[0], "", "000000 ", "x".repeat(5_000)])
      expectProblem(await signIn({ code }, { cookie }, "second-step"), 401, "auth.second_step_refused")
    await forgetAttempts()
    await pool().query("UPDATE pending_sign_ins SET expires_at = now() - interval '1 second' WHERE user_id = $1", [
      eve.userId,
    ])
    const late = await signIn({ code: appCode(eve.secret, "signing in") }, { cookie }, "second-step")
    expectProblem(late, 401, "auth.second_step_expired")
  })

  test("is not taken from another origin, nor without the token of this browser's page", async () => {
    const { email, secret, userId } = await protectedPerson()
    const cookie = await firstStep(email)
    const code = appCode(secret, "signing in")
    const foreign = { cookie, headers: { "sec-fetch-site": "cross-site" } }
    expectProblem(await signIn({ code }, foreign, "second-step"), 403, "auth.cross_origin")
    const body = JSON.stringify({ code })
    const response = await handleAuth(authRequest("POST", "callback/second-step", { headers: { cookie }, body }))
    expect(response.status).toBe(403)
    expect(await openSessionsOf(userId)).toBe(0)
  })

  test(`has ${signInLimits.secondStep} wrong codes from everywhere, then even the right one is refused with the same words`, async () => {
    const { email, secret } = await protectedPerson()
    const wrong: unknown[] = []
    for (let turn = 0; turn < signInLimits.secondStep; turn++) {
      const from: From = { cookie: await firstStep(email), ip: `198.51.${turn}.7` }
      wrong.push((await signIn({ code: "12345" }, from, "second-step")).json.detail)
    }
    const right = await signIn(
      { code: appCode(secret, "signing in") },
      { cookie: await firstStep(email) },
      "second-step",
    )
    expectProblem(right, 401, "auth.second_step_refused")
    expect(new Set([...wrong, right.json.detail]).size).toBe(1)
  })

  test("ends with a change of the password, which the first step was", async () => {
    const { email, secret, userId } = await protectedPerson()
    const cookie = await firstStep(email)
    const body = { currentPassword: password, newPassword: "an entirely different sentence" }
    expect((await api("POST /v1/session/password", { cookie: await newSession(userId), body })).status).toBe(204)
    expectProblem(
      await signIn({ code: appCode(secret, "signing in") }, { cookie }, "second-step"),
      401,
      "auth.second_step_expired",
    )
  })
})

describe("setting up an authenticator app", () => {
  test("asks for nothing before a first right code, then ends the other sessions and gives ten recovery codes", async () => {
    const { userId, email, organizationId } = await person()
    const [here, there] = [await newSession(userId), await newSession(userId)]
    const { json: begun } = await api("POST /v1/session/totp", { cookie: here })
    expect((await signIn({ email, password })).status).toBe(200)
    const wrong = await api("POST /v1/session/totp/confirm", { cookie: here, body: { code: "12345" } })
    expect({ status: wrong.status, pointer: wrong.json.errors?.[0].pointer }).toEqual({ status: 400, pointer: "/code" })
    const code = appCode(begun.secret, "setting up")
    const confirmed = await api("POST /v1/session/totp/confirm", { cookie: here, body: { code } })
    expect(new Set(confirmed.json.recoveryCodes).size).toBe(10)
    await expectWithin(1_200, async () => (await api("GET /v1/session", { cookie: there })).status, 401)
    expect((await api("GET /v1/session", { cookie: here })).status).toBe(200)
    expectProblem(await api("POST /v1/session/totp", { cookie: here }), 409, "totp.already_enabled")
    const cookie = await firstStep(email)
    expectProblem(await signIn({ code }, { cookie }, "second-step"), 401, "auth.second_step_refused")
    expect(await entriesOf(organizationId, "user.totp_enabled")).toHaveLength(1)
  })

  test("stores neither the secret nor a recovery code as it is", async () => {
    const { userId, secret, recoveryCodes } = await protectedPerson()
    const { rows } = await pool().query(
      `SELECT (SELECT secret FROM totp_factors WHERE user_id = $1) AS sealed,
        (SELECT string_agg(code_hash, '') FROM recovery_codes WHERE user_id = $1) AS hashes`,
      [userId],
    )
    expect(rows[0].sealed.includes(bytesOfBase32(secret))).toBe(false)
    for (const code of recoveryCodes) expect(rows[0].hashes.toString("latin1")).not.toContain(code)
  })

  test.each([
    ["POST /v1/session/totp", undefined],
    ["POST /v1/session/totp/confirm", { code: "123456" }],
    ["DELETE /v1/session/totp", undefined],
    ["POST /v1/session/recovery-codes", undefined],
  ] as const)("%s needs a proof of identity of the last 15 minutes", async (route, body) => {
    const { userId } = await protectedPerson()
    const cookie = await newSession(userId)
    await pool().query("UPDATE sessions SET confirmed_at = now() - interval '16 minutes' WHERE user_id = $1", [userId])
    expectProblem(await api(route, { cookie, ...(body && { body }) }), 403, "auth.confirmation_required")
  })

  test("can be undone: signing in takes one step again, and the recovery codes are gone", async () => {
    const { userId, email, organizationId } = await protectedPerson()
    const cookie = await newSession(userId)
    const waiting = await firstStep(email)
    expect((await api("DELETE /v1/session/totp", { cookie })).status).toBe(204)
    expectProblem(await api("DELETE /v1/session/totp", { cookie }), 404, "totp.not_found")
    expectProblem(await api("POST /v1/session/recovery-codes", { cookie }), 404, "second_factor.not_found")
    expect((await signIn({ email, password })).status).toBe(200)
    expectProblem(await signIn({ code: "1" }, { cookie: waiting }, "second-step"), 401, "auth.second_step_expired")
    expect(await entriesOf(organizationId, "user.totp_disabled")).toHaveLength(1)
  })
})

test("new recovery codes replace the earlier ones", async () => {
  const { userId, email, recoveryCodes } = await protectedPerson()
  const { json } = await api("POST /v1/session/recovery-codes", { cookie: await newSession(userId) })
  const [old, made] = [recoveryCodes[0], json.recoveryCodes[0]]
  expectProblem(
    await signIn({ code: old }, { cookie: await firstStep(email) }, "second-step"),
    401,
    "auth.second_step_refused",
  )
  expect((await signIn({ code: made }, { cookie: await firstStep(email) }, "second-step")).status).toBe(200)
})

test("the operator's command removes the second factor of who has lost it, ends their sessions and is in the audit log", async () => {
  const { userId, email, organizationId } = await protectedPerson()
  const cookie = await newSession(userId)
  const work = await adminCommands["reset-second-factor"]?.(["--email", email])
  expect(await work?.()).toEqual({ email, removed: true })
  expect((await api("GET /v1/session", { cookie })).status).toBe(401)
  expect((await signIn({ email, password })).status).toBe(200)
  expect(await entriesOf(organizationId, "user.second_factor_reset")).toHaveLength(1)
})

async function person() {
  const { userId, organizationId } = await newWorld()
  const email = `person-${randomUUID()}@example.com`
  await pool().query("UPDATE users SET email = $2, password_hash = $3 WHERE id = $1", [userId, email, passwordHash])
  return { userId, organizationId, email }
}

/** A person who has set up an authenticator app. */
async function protectedPerson() {
  const own = await person()
  const cookie = await newSession(own.userId)
  const { json } = await api("POST /v1/session/totp", { cookie })
  const secret: string = json.secret
  const body = { code: appCode(secret, "setting up") }
  const confirmed = await api("POST /v1/session/totp/confirm", { cookie, body })
  await pool().query("UPDATE sessions SET revoked_at = now() WHERE user_id = $1", [own.userId])
  return { ...own, secret, recoveryCodes: confirmed.json.recoveryCodes as string[] }
}

/** The Cookie header of a browser that has passed the first step. */
async function firstStep(email: string): Promise<string> {
  return cookieOf((await signIn({ email, password })).setCookie)
}

function cookieOf(setCookie: string[]): string {
  return setCookie.find((cookie) => cookie.startsWith(secondStepCookie))?.split(";")[0] ?? expect.fail("no cookie")
}

async function forgetAttempts() {
  await pool().query("DELETE FROM rate_windows WHERE key LIKE 'second-step%'")
}

async function openSessionsOf(userId: string): Promise<number> {
  const { rows } = await pool().query(
    "SELECT count(*)::int AS open FROM sessions WHERE user_id = $1 AND revoked_at IS NULL",
    [userId],
  )
  return rows[0].open
}

async function entriesOf(organizationId: string, action: string): Promise<unknown[]> {
  const { rows } = await pool().query<{ changes: unknown }>(
    "SELECT changes FROM audit_entries WHERE organization_id = $1 AND action = $2",
    [organizationId, action],
  )
  return rows.map(({ changes }) => changes)
}
