import { afterEach, expect, test } from "vitest"
import { newAuthenticator } from "@/e2e/support/access/authenticator"
import { appCode } from "@/e2e/support/access/authenticator-app"
import { api, newSession, newWorld } from "@/e2e/support/world"
import { hashPassword } from "@/lib/access/credentials/passwords"
import { claimSystemMails } from "@/lib/access/system-mail/data"
import { systemEmailOf } from "@/lib/access/system-mail/messages"
import { adminCommands } from "@/lib/cli/admin-commands"
import { pool } from "@/lib/platform/database/db"
import { provideEnv } from "@/lib/platform/env/env"
import { systemIo } from "@/lib/regions/io"

afterEach(async () => {
  provideEnv({ SMTP_URL: "" })
  await pool().query("DELETE FROM system_mails")
})

test("a person is told by email of every change of how they sign in, and of nothing else", async () => {
  provideEnv({ SMTP_URL: "smtp://127.0.0.1:9?tls=none" })
  const { userId } = await newWorld()
  const password = "correct horse battery staple"
  const { rows } = await pool().query<{ email: string }>(
    "UPDATE users SET password_hash = $2 WHERE id = $1 RETURNING email",
    [userId, await hashPassword(password)],
  )
  const email = rows[0]?.email ?? ""
  const cookie = await newSession(userId)
  const headers = { "x-client-ip": "203.0.113.5" }
  const toldOf = async (change: () => Promise<unknown>) => {
    await change()
    const [claimed, ...others] = (await claimSystemMails(10, 60_000)).map(({ mail }) => mail)
    await pool().query("DELETE FROM system_mails")
    expect(others).toEqual([])
    if (!claimed) return null
    expect(claimed).toMatchObject({ kind: "account-changed", to: email })
    return (await systemEmailOf(claimed, systemIo()))?.subject
  }

  const { json: totp } = await api("POST /v1/session/totp", { cookie })
  const code = appCode(totp.secret, "setting up")
  expect(await toldOf(() => api("POST /v1/session/totp/confirm", { cookie, headers, body: { code } }))).toMatch(
    /set up/,
  )
  expect(await toldOf(() => api("POST /v1/session/recovery-codes", { cookie, headers }))).toMatch(/recovery codes/)
  expect(await toldOf(() => api("DELETE /v1/session/totp", { cookie, headers }))).toMatch(/app .* removed/)

  const { json: options } = await api("POST /v1/session/passkeys/options", { cookie })
  const body = { name: "Phone", ...newAuthenticator().create(options.options.challenge) }
  expect(await toldOf(() => api("POST /v1/session/passkeys", { cookie, headers, body }))).toMatch(/passkey was added/)
  const { json: list } = await api("GET /v1/session/passkeys", { cookie })
  const params = { passkeyId: list.data[0].id }
  const passkey = "/v1/session/passkeys/{passkeyId}" as const
  const renamed = { cookie, headers, params, body: { name: "Old phone" } }
  expect(await toldOf(() => api(`PATCH ${passkey}`, renamed))).toBeNull()
  expect(await toldOf(() => api(`DELETE ${passkey}`, { cookie, headers, params }))).toMatch(/passkey .* removed/)

  const passwords = { currentPassword: password, newPassword: "another horse battery staple" }
  expect(await toldOf(() => api("POST /v1/session/password", { cookie, headers, body: passwords }))).toMatch(/password/)

  await pool().query("INSERT INTO totp_factors (user_id, secret, confirmed_at) VALUES ($1, 'x', now())", [userId])
  const reset = await adminCommands["reset-second-factor"]?.(["--email", email])
  expect(await toldOf(async () => reset?.())).toMatch(/was reset/)
})

test("nothing is queued where no email can be sent", async () => {
  const { userId } = await newWorld()
  const cookie = await newSession(userId)
  const { json } = await api("POST /v1/session/totp", { cookie })
  const body = { code: appCode(json.secret, "setting up") }
  expect((await api("POST /v1/session/totp/confirm", { cookie, body })).status).toBe(200)
  expect(await claimSystemMails(10, 1_000)).toEqual([])
})
