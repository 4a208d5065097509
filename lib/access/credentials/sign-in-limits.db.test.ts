import { randomUUID } from "node:crypto"
import { beforeEach, describe, expect, onTestFinished, test } from "vitest"
import { api, newWorld } from "@/e2e/support/world"
import { hashPassword } from "@/lib/access/credentials/passwords"
import {
  mayAskForLink,
  mayAttemptPassword,
  passwordSucceeded,
  signInLimits,
} from "@/lib/access/credentials/sign-in-limits"
import { signIn } from "@/e2e/support/access/sign-in"
import { statementsOf } from "@/e2e/support/platform/statements"
import { pool } from "@/lib/platform/database/db"
import { provideEnv } from "@/lib/platform/env/env"

const ownPassword = "correct horse battery staple"
const owner = "203.0.113.10"
const { perAccount, perAccountInAll, linksPerNetwork, linksInAll } = signInLimits

beforeEach(() => pool().query("DELETE FROM rate_windows"))

describe("a stranger", () => {
  test.each([
    ["an IPv4 /24", (n: number) => `192.0.2.${n}`],
    ["an IPv6 /64", (n: number) => `2001:db8:52:1::${n}`],
  ])(
    `with ${perAccount + 5} wrong passwords from ${"%s"} leaves the owner's sign-in from another network alone`,
    async (_, address) => {
      const { email } = await person()
      for (let n = 1; n <= perAccount + 5; n++)
        expect((await signIn({ email, password: "wrong" }, { ip: address(n) })).status).toBe(401)
      expect((await signIn({ email, password: ownPassword }, { ip: address(99) })).status).toBe(401)
      expect((await signIn({ email, password: ownPassword }, { ip: owner })).status).toBe(200)
    },
  )

  test("who goes on from one network after it is refused does not use up what the account has in all", async () => {
    const attempt = { account: newAccount(), ip: "192.0.2.1" }
    for (let n = 0; n < 80; n++) expect(await mayAttemptPassword(attempt)).toBe(n < perAccount)
    expect(await pointsOf("sign-in-account-in-all")).toEqual([perAccount])
  })

  test(`from many networks has ${perAccountInAll} attempts at an account in all, and a network in which its owner signed in before still gets in`, async () => {
    const account = newAccount()
    await passwordSucceeded({ account, ip: owner })
    let attempts = 0
    for (let network = 0; network < 12; network++) {
      for (let n = 0; n < perAccount; n++)
        if (await mayAttemptPassword({ account, ip: `198.51.${network}.${n}` })) attempts++
    }
    expect(attempts).toBe(perAccountInAll)
    expect(await mayAttemptPassword({ account, ip: "100.64.0.1" })).toBe(false)
    expect(await mayAttemptPassword({ account, ip: owner })).toBe(true)
  })

  test("cannot use up the owner's sign-in links", async () => {
    const account = newAccount()
    await passwordSucceeded({ account, ip: owner })
    const asked = async (ip: string) => mayAskForLink({ account, ip })
    for (let n = 0; n < 10; n++) expect(await asked("192.0.2.1")).toBe(n < linksPerNetwork)
    let sent = linksPerNetwork
    for (let n = 0; n < 2 * linksInAll; n++) if (await asked(`198.51.${n}.1`)) sent++
    expect(sent).toBe(linksInAll)
    expect(await asked(owner)).toBe(true)
  })
})

describe("confirming the password of a running session", () => {
  test("has a counter of its own: failed sign-ins from the same network do not count, and its failures refuse no sign-in", async () => {
    const { email } = await person()
    const { cookie } = await signIn({ email, password: ownPassword }, { ip: owner })
    for (let n = 0; n <= perAccount; n++) await signIn({ email, password: "wrong" }, { ip: owner })
    expect((await signIn({ email, password: ownPassword }, { ip: owner })).status).toBe(401)
    expect((await confirm(cookie, ownPassword)).status).toBe(204)

    for (let n = 0; n < perAccount; n++) expect((await confirm(cookie, "wrong")).status).toBe(400)
    const refused = await confirm(cookie, ownPassword)
    expect({ status: refused.status, pointer: refused.json.errors[0].pointer }).toEqual({
      status: 400,
      pointer: "/password",
    })
    const change = { currentPassword: ownPassword, newPassword: "another long password" }
    expect((await api("POST /v1/session/password", { cookie, body: change })).status).toBe(400)
    const second = await signIn({ email, password: ownPassword }, { ip: "198.51.100.52" })
    expect((await confirm(second.cookie, ownPassword)).status).toBe(204)
  })

  test("gives a session its attempts back when the password is right", async () => {
    const { email } = await person()
    const { cookie } = await signIn({ email, password: ownPassword }, { ip: owner })
    for (const round of [1, 2]) {
      for (let n = 0; n < perAccount - 1; n++)
        expect((await confirm(cookie, "wrong")).status, `round ${round}`).toBe(400)
      expect((await confirm(cookie, ownPassword)).status).toBe(204)
    }
  })
})

test.each(["192.0.2.44", owner])(
  "a wrong password costs an account and an unknown address the same statements, from %s",
  async (ip) => {
    const { email } = await person()
    await signIn({ email, password: ownPassword }, { ip: owner })
    const statements = async (account: string) =>
      (await statementsOf(() => signIn({ email: account, password: "wrong" }, { ip }))).filter(isOwn).toSorted()
    const known = await statements(email)
    expect(known.length).toBeGreaterThan(4)
    expect(await statements(newAccount()), "for an unknown address").toEqual(known)
  },
)

test("the limits are those of the settings at the time, not of the first sign-in of the process", async () => {
  const attempt = { account: newAccount(), ip: "192.0.2.1" }
  expect(await mayAttemptPassword(attempt)).toBe(true)
  provideEnv({ SIGN_IN_TRIES_PER_ACCOUNT: "1" })
  onTestFinished(() => provideEnv({ SIGN_IN_TRIES_PER_ACCOUNT: undefined }))
  expect(await mayAttemptPassword(attempt)).toBe(false)
})

/** The clock is read once for all who ask in the same moment, such as what earlier tests left to be written later. */
function isOwn(statement: string): boolean {
  return !statement.includes("transaction_timestamp()")
}

function newAccount(): string {
  return `${randomUUID()}@example.com`
}

async function person() {
  const { userId } = await newWorld()
  const email = newAccount()
  await pool().query("UPDATE users SET email = $2, password_hash = $3 WHERE id = $1", [
    userId,
    email,
    await hashPassword(ownPassword),
  ])
  return { email }
}

function confirm(cookie: string, password: string) {
  return api("POST /v1/session/confirm", { cookie, body: { password }, headers: { "x-client-ip": owner } })
}

async function pointsOf(prefix: string): Promise<number[]> {
  const { rows } = await pool().query<{ points: number }>("SELECT points FROM rate_windows WHERE key LIKE $1 || ':%'", [
    prefix,
  ])
  return rows.map(({ points }) => points)
}
