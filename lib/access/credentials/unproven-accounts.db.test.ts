import { expectProblem } from "@/e2e/support/expect-problem"
import { randomUUID } from "node:crypto"
import { afterEach, describe, expect, test } from "vitest"
import { expectWithin } from "@/e2e/support/within"
import { api, newSession, newWorld, sessionCookie, type World } from "@/e2e/support/world"
import { newSignInLink, signInByIdentity } from "@/lib/access/credentials/sign-in"
import type { LinkRecipient } from "@/lib/access/credentials/data"
import { claimSystemMails } from "@/lib/access/system-mail/data"
import { signIn } from "@/e2e/support/access/sign-in"
import { pool } from "@/lib/platform/database/db"
import { provideEnv } from "@/lib/platform/env/env"
import { systemIo } from "@/lib/regions/io"

const plantedPassword = "a password of somebody else"
const from = { ip: "198.51.100.51" }

afterEach(async () => {
  provideEnv({ SMTP_URL: "" })
  await pool().query("DELETE FROM system_mails")
})

describe("an account planted by an invite whose link was shown", () => {
  test.each(["a mailed link", "a mailed link from before the account", "GitHub"])(
    "belongs to whoever proves its address: password, identity and sessions end at the first sign-in by %s",
    async (way) => {
      const { email, userId, thief } = await planted({ linkBefore: way.endsWith("before the account") })
      await pool().query("INSERT INTO identities (provider, subject, user_id) VALUES ('github', $2, $1)", [
        userId,
        `planted-${userId}`,
      ])
      const other = (await signIn({ email, password: plantedPassword }, from)).cookie
      expect(await statusOf(thief.cookie)).toBe(200)

      const owner =
        way === "GitHub" ? await byGitHub(email) : await byLink(way.endsWith("account") ? { email } : { userId })
      expect(owner).toMatchObject({ userId, hasPassword: false })

      await expectWithin(1_500, () => Promise.all([statusOf(thief.cookie), statusOf(other)]), [401, 401])
      expect((await signIn({ email, password: plantedPassword }, from)).status).toBe(401)
      const identities = await pool().query("SELECT subject FROM identities WHERE user_id = $1", [userId])
      expect(identities.rows).toEqual(way === "GitHub" ? [{ subject: `own-${userId}` }] : [])
      expect(
        await signInByIdentity(
          { provider: "github", subject: `planted-${userId}`, email: `${randomUUID()}@example.com` },
          from,
        ),
      ).toBeNull()
      expect(await statusOf(owner.cookie)).toBe(200)
    },
  )

  test("is proved once: what its owner makes afterwards survives the next sign-in by link", async () => {
    const { email, userId } = await planted()
    const { cookie } = await byLink({ userId })
    expect(
      (await api("POST /v1/session/password", { cookie, body: { newPassword: "the password of the owner" } })).status,
    ).toBe(204)
    await byLink({ userId })
    expect(await statusOf(cookie)).toBe(200)
    expect((await signIn({ email, password: "the password of the owner" }, from)).status).toBe(200)
  })

  test("cannot change its password once its owner came, even within the second in which its session is still cached", async () => {
    const { email, userId, thief } = await planted()
    expect(await statusOf(thief.cookie)).toBe(200)
    // As if the session had come by a link, so that no current password is asked for.
    await pool().query("UPDATE sessions SET signed_in_by = 'link' WHERE user_id = $1", [userId])
    await byLink({ userId })
    const body = { newPassword: "planted once more, later" }
    expect((await api("POST /v1/session/password", { cookie: thief.cookie, body })).status).toBe(401)
    expect((await signIn({ email, password: body.newPassword }, from)).status).toBe(401)
  })

  test("cannot void the links that were mailed to its owner by changing its password", async () => {
    const { userId, thief } = await planted()
    const { url } = await newSignInLink({ userId }, systemIo())
    const body = { currentPassword: plantedPassword, newPassword: "another planted password" }
    expect((await api("POST /v1/session/password", { cookie: thief.cookie, body })).status).toBe(204)
    expect((await signIn({ token: tokenIn(url) }, from, "link")).status).toBe(200)
  })

  test("leaves no session behind that was being opened while its owner came", async () => {
    const { email, userId } = await planted()
    const answers = await Promise.all([
      ...Array.from({ length: 8 }, () => signIn({ email, password: plantedPassword }, from)),
      byLink({ userId }),
    ])
    const owner = answers.at(-1) as Awaited<ReturnType<typeof byLink>>
    const { rows } = await pool().query("SELECT signed_in_by FROM sessions WHERE user_id = $1 AND revoked_at IS NULL", [
      userId,
    ])
    expect(rows).toEqual([{ signed_in_by: "link" }])
    expect(await statusOf(owner.cookie)).toBe(200)
  })

  test("joins no further organization before its address is proved, by whichever invite", async () => {
    const { email, userId, thief } = await planted()
    const second = await newWorld()
    const token = tokenOf(await inviteTo(second, email))
    const refused = await api("POST /v1/session/invites", { cookie: thief.cookie, body: { token } })
    expectProblem(refused, 403, "invite.address_unproven")
    expect(await membershipsOf(userId)).toBe(1)
    const { cookie } = await byLink({ userId })
    expect((await api("POST /v1/session/invites", { cookie, body: { token } })).status).toBe(200)
    expect(await membershipsOf(userId)).toBe(2)
  })

  test("takes the invite of one organization alone, while another waits for the same address", async () => {
    const second = await newWorld()
    const email = newAddress()
    const waiting = tokenOf(await inviteTo(second, email))
    const { userId } = await planted({ email })
    expect(await membershipsOf(userId)).toBe(1)
    expect((await accept(waiting, "another password again")).json.code).toBe("invite.account_exists")
  })

  test("tells its owner by email that a password was removed", async () => {
    const { email, userId } = await planted()
    provideEnv({ SMTP_URL: "smtp://127.0.0.1:9?tls=none" })
    await byLink({ userId })
    expect((await claimSystemMails(10, 1_000)).map(({ mail }) => mail)).toEqual([
      { kind: "password-removed", to: email },
    ])
  })

  test("is in the audit log of its organization when it is proved", async () => {
    const { userId, email, world } = await planted()
    await byLink({ userId })
    const { rows } = await pool().query(
      "SELECT changes FROM audit_entries WHERE organization_id = $1 AND action = 'member.address_proven'",
      [world.organizationId],
    )
    expect(rows).toEqual([{ changes: { by: "link", passwordRemoved: true, targetName: email } }])
  })
})

describe("an address counts as proven from the start", () => {
  test("where the link of the invite was mailed", async () => {
    const world = await newWorld()
    const email = newAddress()
    provideEnv({ SMTP_URL: "smtp://127.0.0.1:9?tls=none" })
    expect((await inviteTo(world, email)).json.mailed).toBe(true)
    const [queued] = await claimSystemMails(10, 1_000)
    if (queued?.mail.kind !== "invite") throw new Error("No invite was mailed.")
    expect((await accept(tokenOf({ json: queued.mail }), plantedPassword)).status).toBe(200)
    await keepsItsPassword(email)
  })

  test("of the owner that the operator created at the first run", async () => {
    const { userId } = await newWorld()
    const { rows } = await pool().query("SELECT email_proven_at IS NOT NULL AS proven FROM users WHERE id = $1", [
      userId,
    ])
    expect(rows).toEqual([{ proven: true }])
  })

  test.each([["a mailed link"], ["GitHub"]])("of an invited person whose account was made by %s", async (way) => {
    const world = await newWorld()
    const email = newAddress()
    await inviteTo(world, email)
    const { cookie } = way === "GitHub" ? await byGitHub(email) : await byLink({ email })
    expect((await api("POST /v1/session/password", { cookie, body: { newPassword: plantedPassword } })).status).toBe(
      204,
    )
    await keepsItsPassword(email)
  })

  async function keepsItsPassword(email: string) {
    const { rows } = await pool().query<{ id: string }>("SELECT id FROM users WHERE email = $1", [email])
    await byLink({ userId: rows[0]?.id ?? "" })
    expect((await signIn({ email, password: plantedPassword }, from)).status).toBe(200)
  }
})

/** An admin invites a stranger's address, and opens the shown link in the stranger's place. */
async function planted({ email = newAddress(), linkBefore = false } = {}) {
  const world = await newWorld()
  const invite = await inviteTo(world, email)
  expect(invite.json.mailed).toBe(false)
  if (linkBefore) before.set(email, (await newSignInLink({ email }, systemIo())).url)
  expect((await accept(tokenOf(invite), plantedPassword)).status).toBe(200)
  const { rows } = await pool().query<{ id: string }>("SELECT id FROM users WHERE email = $1", [email])
  return { world, email, userId: rows[0]?.id ?? "", thief: await signIn({ email, password: plantedPassword }, from) }
}

const before = new Map<string, string>()

async function byLink(recipient: LinkRecipient) {
  const url = ("email" in recipient && before.get(recipient.email)) || (await newSignInLink(recipient, systemIo())).url
  const { status, cookie } = await signIn({ token: tokenIn(url) }, from, "link")
  expect(status).toBe(200)
  const { json } = await api("GET /v1/session", { cookie })
  return { cookie, userId: await idOf(json.user.email), hasPassword: json.hasPassword as boolean }
}

async function byGitHub(email: string) {
  const known = await idOf(email)
  const signedIn = await signInByIdentity({ provider: "github", subject: `own-${known}`, email }, from)
  if (!signedIn || !("sessionId" in signedIn)) throw new Error("GitHub's answer was refused.")
  const { rows } = await pool().query("SELECT password_hash IS NOT NULL AS has FROM users WHERE id = $1", [
    signedIn.userId,
  ])
  return {
    cookie: await sessionCookie(signedIn.sessionId),
    userId: signedIn.userId,
    hasPassword: rows[0].has as boolean,
  }
}

async function inviteTo(world: World, email: string) {
  const cookie = await newSession(world.userId)
  return api("POST /v1/projects/{projectId}/invites", {
    cookie,
    params: { projectId: world.project },
    body: { email, role: "admin" },
  })
}

function accept(token: string, password: string) {
  return api("POST /v1/invites/accept", { body: { token, name: "Ada", password }, headers: { "x-client-ip": from.ip } })
}

function newAddress(): string {
  return `unproven-${randomUUID()}@example.com`
}

async function idOf(email: string): Promise<string> {
  const { rows } = await pool().query<{ id: string }>("SELECT id FROM users WHERE email = $1", [email])
  return rows[0]?.id ?? ""
}

function tokenOf({ json }: { json: { url: string } }): string {
  return tokenIn(json.url)
}

function tokenIn(url: string): string {
  return new URL(url).searchParams.get("token") ?? ""
}

async function statusOf(cookie: string): Promise<number> {
  return (await api("GET /v1/session", { cookie })).status
}

async function membershipsOf(userId: string): Promise<number> {
  return (await pool().query("SELECT 1 FROM members WHERE user_id = $1", [userId])).rowCount ?? 0
}
