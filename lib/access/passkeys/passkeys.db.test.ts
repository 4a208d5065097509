import { randomUUID } from "node:crypto"
import { describe, expect, test } from "vitest"
import { newAuthenticator, type Authenticator } from "@/e2e/support/access/authenticator"
import { signIn } from "@/e2e/support/access/sign-in"
import { expectProblem } from "@/e2e/support/expect-problem"
import { expectWithin } from "@/e2e/support/within"
import { api, newSession, newWorld } from "@/e2e/support/world"
import { newSignInLink } from "@/lib/access/credentials/sign-in"
import { userHandleOf } from "@/lib/access/passkeys/webauthn"
import { pool } from "@/lib/platform/database/db"
import { systemIo } from "@/lib/regions/io"

describe("adding a passkey", () => {
  test("makes it sign in alone, brings recovery codes, and ends the sessions that were opened without one", async () => {
    const { userId, email, organizationId } = await person()
    const [here, there] = [await newSession(userId), await newSession(userId)]
    const device = newAuthenticator()
    const { json } = await add(device, here, "Phone")
    expect(json.passkey).toMatchObject({ name: "Phone" })
    expect(json.recoveryCodes).toHaveLength(10)
    await expectWithin(1_200, async () => (await api("GET /v1/session", { cookie: there })).status, 401)
    const done = await signInWith(device, userId)
    expect(done.status).toBe(200)
    expect((await api("GET /v1/session", { cookie: done.cookie })).json.user.email).toBe(email)
    const { json: list } = await api("GET /v1/session/passkeys", { cookie: done.cookie })
    expect(list.data).toEqual([expect.objectContaining({ name: "Phone", lastUsedAt: expect.any(String) })])
    expect((await add(newAuthenticator(), here, "Key")).json.recoveryCodes).toBeUndefined()
    expect(await actionsOf(organizationId)).toEqual(["user.passkey_added", "user.signed_in", "user.passkey_added"])
  })

  test("makes a link alone not enough to sign in", async () => {
    const { userId } = await withPasskey()
    const { url } = await newSignInLink({ userId }, systemIo())
    const token = new URL(url).searchParams.get("token")
    expectProblem(await signIn({ token }, {}, "link"), 401, "auth.second_step_required")
  })

  test.each([
    ["from another origin", { origin: "https://evil.example" }],
    ["for another host", { rpId: "evil.example" }],
    ["of a sign-in", { type: "webauthn.get" }],
    ["without asking who holds the device", { flags: 0x41 }],
  ])("refuses an answer %s", async (_, faults) => {
    const { userId } = await person()
    const cookie = await newSession(userId)
    expectProblem(await add(newAuthenticator(), cookie, "Phone", faults), 400, "passkey.refused")
  })

  test("takes a challenge once, in time, and only of the person who asked for it", async () => {
    const [ada, eve] = [await person(), await person()]
    const [own, other] = [await newSession(ada.userId), await newSession(eve.userId)]
    const challenge = await challengeFor(own)
    const body = (device: Authenticator) => ({ name: "Phone", ...device.create(challenge) })
    const ask = (cookie: string) => api("POST /v1/session/passkeys", { cookie, body: body(newAuthenticator()) })
    expectProblem(await ask(other), 400, "passkey.refused")
    expect((await ask(own)).status).toBe(200)
    expectProblem(await ask(own), 400, "passkey.refused")
    const late = await challengeFor(own)
    await pool().query("UPDATE passkey_challenges SET expires_at = now() - interval '1 second' WHERE user_id = $1", [
      ada.userId,
    ])
    const answer = { name: "Phone", ...newAuthenticator().create(late) }
    expectProblem(await api("POST /v1/session/passkeys", { cookie: own, body: answer }), 400, "passkey.refused")
  })

  test("refuses a passkey that an account has already", async () => {
    const { device } = await withPasskey()
    const { userId } = await person()
    expectProblem(await add(device, await newSession(userId), "Mine"), 409, "passkey.already_exists")
  })

  test.each(["POST /v1/session/passkeys/options", "POST /v1/session/passkeys"] as const)(
    "%s needs a proof of identity of the last 15 minutes",
    async (route) => {
      const { userId } = await person()
      const cookie = await newSession(userId)
      const body = { name: "Phone", ...newAuthenticator().create(await challengeFor(cookie)) }
      await pool().query("UPDATE sessions SET confirmed_at = now() - interval '16 minutes' WHERE user_id = $1", [
        userId,
      ])
      const call = route.endsWith("options") ? {} : { body }
      expectProblem(await api(route, { cookie, ...call }), 403, "auth.confirmation_required")
    },
  )
})

describe("signing in with a passkey", () => {
  test.each([
    ["from another origin", { origin: "https://evil.example" }],
    ["for another host", { rpId: "evil.example" }],
    ["of a registration", { type: "webauthn.create" }],
    ["without asking who holds the device", { flags: 0x01 }],
  ])("refuses an answer %s with the words for every refusal", async (_, faults) => {
    const { device, userId } = await withPasskey()
    const refused = await signInWith(device, userId, faults)
    expectProblem(refused, 401, "auth.sign_in_refused")
    expect(refused.cookie).toBe("")
  })

  test("takes an answer once", async () => {
    const { device, userId } = await withPasskey()
    const answer = device.get(await signInChallenge(), userHandleOf(userId))
    expect((await signIn(answer, {}, "passkey")).status).toBe(200)
    expectProblem(await signIn(answer, {}, "passkey"), 401, "auth.sign_in_refused")
  })

  test("refuses a challenge of its own making, one for adding a passkey, and one after 5 minutes", async () => {
    const { device, userId } = await withPasskey()
    const forAdding = await challengeFor(await newSession(userId))
    const late = await signInChallenge()
    await pool().query("UPDATE passkey_challenges SET expires_at = now() - interval '1 second' WHERE user_id IS NULL")
    for (const challenge of [Buffer.from(randomUUID()).toString("base64url"), forAdding, late])
      expectProblem(
        await signIn(device.get(challenge, userHandleOf(userId)), {}, "passkey"),
        401,
        "auth.sign_in_refused",
      )
  })

  test("refuses a copied passkey, whose counter is behind", async () => {
    const { device, userId } = await withPasskey()
    expect((await signInWith(device, userId, { counter: 7 })).status).toBe(200)
    for (const counter of [7, 6, 0])
      expectProblem(await signInWith(device, userId, { counter }), 401, "auth.sign_in_refused")
    expect((await signInWith(device, userId, { counter: 8 })).status).toBe(200)
  })

  test("refuses an unknown passkey, the signature of another one, another person's handle, and a removed one", async () => {
    const { device, userId } = await withPasskey()
    const other = await withPasskey()
    expectProblem(await signInWith(newAuthenticator(), userId), 401, "auth.sign_in_refused")
    const forged = {
      ...other.device.get(await signInChallenge(), userHandleOf(userId)),
      credentialId: device.credentialId,
    }
    expectProblem(await signIn(forged, {}, "passkey"), 401, "auth.sign_in_refused")
    expectProblem(await signInWith(device, other.userId), 401, "auth.sign_in_refused")
    const { cookie } = await signInWith(device, userId)
    const { json } = await api("GET /v1/session/passkeys", { cookie })
    const params = { passkeyId: json.data[0].id }
    expect((await api("DELETE /v1/session/passkeys/{passkeyId}", { cookie, params })).status).toBe(204)
    expectProblem(await signInWith(device, userId), 401, "auth.sign_in_refused")
    const { json: left } = await api("GET /v1/session/second-factor", { cookie })
    expect(left.recoveryCodesLeft).toBe(0)
  })
})

async function person() {
  const { userId, organizationId } = await newWorld()
  const email = `passkey-${randomUUID()}@example.com`
  await pool().query("UPDATE users SET email = $2 WHERE id = $1", [userId, email])
  return { userId, organizationId, email }
}

async function withPasskey() {
  const own = await person()
  const device = newAuthenticator()
  const { status } = await add(device, await newSession(own.userId), "Phone")
  expect(status).toBe(200)
  return { ...own, device }
}

async function challengeFor(cookie: string): Promise<string> {
  const { json } = await api("POST /v1/session/passkeys/options", { cookie })
  return json.options.challenge
}

async function add(device: Authenticator, cookie: string, name: string, faults = {}) {
  const body = { name, ...device.create(await challengeFor(cookie), faults) }
  return api("POST /v1/session/passkeys", { cookie, body })
}

async function signInChallenge(): Promise<string> {
  const { json } = await api("POST /v1/session/passkey-sign-in", {})
  return json.options.challenge
}

async function signInWith(device: Authenticator, userId: string, faults = {}) {
  return signIn(device.get(await signInChallenge(), userHandleOf(userId), faults), {}, "passkey")
}

async function actionsOf(organizationId: string): Promise<string[]> {
  const { rows } = await pool().query<{ action: string }>(
    "SELECT action FROM audit_entries WHERE organization_id = $1 AND action LIKE 'user.%' ORDER BY id",
    [organizationId],
  )
  return rows.map(({ action }) => action)
}
