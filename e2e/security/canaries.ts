import { createDecipheriv, hkdfSync, randomBytes } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect } from "@playwright/test"
import type pg from "pg"
import { cookiesOf, inviteSomebody, signIn, type SampleOrganization } from "@/e2e/support/sample-organization"
import { admin } from "@/e2e/support/product"
import { linkTo, relayUser } from "@/e2e/support/relay"

/** A secret, in the forms in which it could appear. */
export type Canary = { name: string; forms: string[] }

const dataDir = process.env.E2E_DATA_DIR ?? ""

/** Makes one secret of every kind and uses it as its holder would. */
export async function plant(own: SampleOrganization, database: pg.Client): Promise<Canary[]> {
  const canaries: Canary[] = []
  const add = (name: string, secret: string) => {
    const bytes = Buffer.from(secret)
    canaries.push({
      name,
      forms: [
        secret,
        encodeURIComponent(secret),
        bytes.toString("base64").replace(/=+$/, "").slice(0, -1),
        bytes.toString("hex"),
      ],
    })
  }
  add("API key of the operator", own.apiKey)
  add("password", own.password)
  const headers = { cookie: own.cookie, "sec-fetch-site": "same-origin", "content-type": "application/json" }
  const made = await fetch(`${own.baseUrl}/v1/projects/${own.projectId}/api-keys`, {
    method: "POST",
    headers,
    body: JSON.stringify({ name: "canary", permissions: ["emails:send", "emails:read"] }),
  })
  expect(made.headers.get("cache-control")).toContain("no-store")
  const key = String((await made.json()).apiKey)
  add("API key of the dashboard", key)
  for (const cookie of own.cookie.split("; "))
    if (/session/.test(cookie)) add("session cookie", cookie.slice(cookie.indexOf("=") + 1))

  // A stream is opened with its token, and the token is tried again when it is used up.
  const bearer = { authorization: `Bearer ${key}` }
  const issue = async () =>
    String(
      (
        await (
          await fetch(`${own.baseUrl}/v1/emails/${own.projectId}/stream/token`, { method: "POST", headers: bearer })
        ).json()
      ).token,
    )
  for (const name of ["stream token that was used", "stream token that waits"]) {
    const token = await issue()
    add(name, token)
    if (name.endsWith("waits")) continue
    const leave = new AbortController()
    const opened = await fetch(`${own.baseUrl}/v1/emails/stream?token=${token}`, { signal: leave.signal })
    expect([opened.status, opened.headers.get("referrer-policy")]).toEqual([200, "no-referrer"])
    leave.abort()
    expect((await fetch(`${own.baseUrl}/v1/emails/stream?token=${token}`)).status).toBe(401)
  }

  // Links of the operator: one is used, one waits, one is opened as a page only.
  for (const name of ["sign-in link that was used", "sign-in link that waits"]) {
    const { url } = await admin(dataDir, "sign-in-link", "--email", own.email)
    const { pathname, search, searchParams } = new URL(String(url))
    const token = searchParams.get("token") ?? ""
    add(name, token)
    await fetch(`${own.baseUrl}${pathname}${search}`)
    if (name.endsWith("used")) await signIn(own.baseUrl, "link", { token })
  }
  await plantSystemEmails(own, add)
  await plantOperators(own, canaries, add)
  // Wrong ones are secrets too: a typing error is nearly the password.
  const wrong = `wrong-${own.password}`
  add("password that was wrong", wrong)
  await signIn(own.baseUrl, "password", { email: own.email, password: wrong }).catch(() => undefined)
  await fetch(`${own.baseUrl}/v1/projects`, { headers: { authorization: `Bearer ${own.apiKey}x` } })
  await fetch(`${own.baseUrl}/v1/projects?api_key=${own.apiKey}`)
  await fetch(`${own.baseUrl}/nowhere?token=${own.apiKey}`)

  const secretKey = readFileSync(join(dataDir, "secret-key"), "utf8").trim()
  const keyBytes = Buffer.from(secretKey, "base64")
  canaries.push({ name: "SECRET_KEY", forms: [secretKey, keyBytes.toString("hex"), keyBytes.toString("base64url")] })
  add("password of the database", String(postgresRecord().password))
  const setUp = new URL(process.env.E2E_SETUP_URL || "http://none/?token=").searchParams.get("token")
  if (setUp) add("token of the first run", setUp)

  const { rows } = await database.query(
    "SELECT k.id, k.private_key FROM dkim_keys k JOIN domains d ON d.id = k.domain_id WHERE d.name = 'canaries.test' AND k.private_key IS NOT NULL",
  )
  expect(rows.length).toBeGreaterThan(0)
  for (const { id, private_key: sealed } of rows) {
    const der = Buffer.from(
      unsealed(sealed, `dkim_keys.private_key:${id}`, keyBytes).replace(/-----[^-]+-----|\s/g, ""),
      "base64",
    )
    // From its middle, where it is neither a frame nor the public half.
    const middle = der.subarray(600, 660)
    canaries.push({
      name: "DKIM key",
      forms: [middle.toString("base64"), middle.toString("hex"), der.toString("base64").slice(800, 860)],
    })
  }
  return canaries
}

type Add = (name: string, secret: string) => void

/** Links sent by email: of an open invite, of a used one, and of a sign-in that leads on to the first. */
async function plantSystemEmails(own: SampleOrganization, add: Add) {
  const tokenOf = (link: URL) => link.searchParams.get("token") ?? ""
  const waiting = await inviteSomebody(own, "canary-waits@example.com")
  add("invite that waits", tokenOf(waiting))
  await fetch(waiting)
  const used = await inviteSomebody(own, "canary-joins@example.com")
  add("invite that was used", tokenOf(used))
  const json = { "content-type": "application/json" }
  const newcomer = { token: tokenOf(used), name: "Canary", password: `pass-${randomBytes(15).toString("base64url")}` }
  add("password of a newcomer", newcomer.password)
  for (const status of [200, 404]) {
    const accepted = await fetch(`${own.baseUrl}/v1/invites/accept`, {
      method: "POST",
      headers: json,
      body: JSON.stringify(newcomer),
    })
    expect(accepted.status).toBe(status)
  }
  const request = { email: own.email, wanted: waiting.pathname + waiting.search }
  expect(
    (await fetch(`${own.baseUrl}/v1/session/links`, { method: "POST", headers: json, body: JSON.stringify(request) }))
      .status,
  ).toBe(204)
  const link = await linkTo(own.email, /sign-in link/)
  expect(link.searchParams.get("callbackUrl")).toBe(request.wanted)
  add("sign-in link of an email", tokenOf(link))
  await fetch(link)
}

/** What only the operator knows, used: the relay's password for system email, the client secret in a sign-in that fails. */
async function plantOperators(own: SampleOrganization, canaries: Canary[], add: Add) {
  const [password, clientSecret] = [process.env.E2E_RELAY_PASSWORD ?? "", process.env.E2E_CLIENT_SECRET ?? ""]
  expect([password.length, clientSecret.length]).toEqual([32, 32])
  add("password of the relay", password)
  add("client secret of an identity provider", clientSecret)
  // As SMTP and OAuth send them: behind the name, in one word of base64.
  const words = [`\0${relayUser}\0${password}`, `mailroom-e2e:${clientSecret}`].map((text) =>
    Buffer.from(text).toString("base64").replace(/=+$/, "").slice(0, -1),
  )
  canaries.push({ name: "credentials in one word", forms: words })

  const first = await fetch(`${own.baseUrl}/api/auth/csrf`)
  const { csrfToken } = (await first.json()) as { csrfToken: string }
  const headers = { "content-type": "application/json", "sec-fetch-site": "same-origin", cookie: cookiesOf(first) }
  const body = JSON.stringify({ csrfToken, callbackUrl: "/" })
  const begun = await fetch(`${own.baseUrl}/api/auth/signin/github`, { method: "POST", headers, body })
  const state = new URL(((await begun.json()) as { url: string }).url).searchParams.get("state") ?? ""
  const code = randomBytes(15).toString("base64url")
  add("code of an identity provider", code)
  const back = `${own.baseUrl}/api/auth/callback/github?code=${code}&state=${encodeURIComponent(state)}`
  // GitHub refuses the code; without a way to the internet it is not reached.
  const refused = await fetch(back, { headers: { cookie: cookiesOf(begun) }, redirect: "manual" })
  expect(refused.status).toBe(303)
  expect(refused.headers.get("location")).toMatch(/\/sign-in\?(refused|unreachable)$/)
}

/** Opens as the product does; written out here, so that the test does not trust the code that it tests. */
function unsealed(sealed: Buffer, aad: string, secretKey: Buffer): string {
  const derived = Buffer.from(hkdfSync("sha256", secretKey, "mailroom", "seal", 32))
  const decipher = createDecipheriv("aes-256-gcm", derived, sealed.subarray(5, 17))
    .setAAD(Buffer.from(aad))
    .setAuthTag(sealed.subarray(17, 33))
  return Buffer.concat([decipher.update(sealed.subarray(33)), decipher.final()]).toString()
}

export function postgresRecord(): { port: number; password: string } {
  return JSON.parse(readFileSync(join(dataDir, "postgres.json"), "utf8"))
}
