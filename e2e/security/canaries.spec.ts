import { createHash, createDecipheriv, hkdfSync } from "node:crypto"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "@playwright/test"
import pg from "pg"
import { admin } from "../support/product"
import { furnish, signIn, type Furnished } from "../support/furnished"
import { allPages } from "../support/pages"

// One secret of every kind is planted by using the product. Then everything that leaves it or stays behind is searched.

/** A secret, in the forms in which it could turn up. */
type Canary = { name: string; forms: string[] }

const dataDir = process.env.E2E_DATA_DIR ?? ""

test("no secret of any kind stands in a log, a page, a script, an answer or the database", async () => {
  test.setTimeout(240_000)
  const own = await furnish("canaries")
  const database = new pg.Client({ connectionString: databaseUrl() })
  await database.connect()
  const canaries = await plant(own, database)
  expect(canaries.length).toBeGreaterThanOrEqual(12)

  const found: string[] = []
  const seen = new Map<string, number>()
  const search = (place: string, kind: string, text: string) => {
    seen.set(kind, (seen.get(kind) ?? 0) + 1)
    for (const { name, forms } of canaries) if (forms.some((form) => text.includes(form))) found.push(`${name} in ${place}`)
    for (const [name, pattern] of patterns) if (pattern.test(text)) found.push(`${name} in ${place}`)
  }

  for (const [place, text] of await everyAnswer(own)) search(place, "answers", text)
  for (const [place, text] of await everyPage(own)) search(place, "pages", text)
  for (const [place, text] of everyFile([".next/static", "public"])) search(place, "static files", text)
  for (const [place, text] of everyFile([join(dataDir, "logs")])) search(place, "logs", text)
  for (const [place, text] of await everyTable(database)) search(place, "tables", text)
  await database.end()

  expect(found).toEqual([])
  process.stdout.write(`\nSearched for ${canaries.length} secrets in ${[...seen].map(([kind, count]) => `${count} ${kind}`).join(", ")}.\n`)
  for (const [kind, least] of [["answers", 15], ["pages", 30], ["static files", 20], ["logs", 3], ["tables", 20]] as const) expect(seen.get(kind) ?? 0, kind).toBeGreaterThan(least - 1)
})

test("the search finds what is there: a word of each place", async () => {
  const own = await furnish("found")
  const database = new pg.Client({ connectionString: databaseUrl() })
  await database.connect()
  const holds = (texts: [string, string][], word: string) => texts.some(([, text]) => text.includes(word))
  expect(holds(await everyAnswer(own), "hello@found.test")).toBe(true)
  expect(holds(await everyPage(own), "found.test")).toBe(true)
  expect(holds(everyFile([".next/static"]), "Create key")).toBe(true)
  expect(holds(everyFile([join(dataDir, "logs")]), '"level":"')).toBe(true)
  expect(holds(await everyTable(database), "hello@found.test")).toBe(true)
  // Bytes are searched in the form in which the table is read.
  expect(holds(await everyTable(database), createHash("sha256").update(own.apiKey).digest("hex"))).toBe(true)
  const created = await fetch(`${own.baseUrl}/v1/projects/${own.projectId}/api-keys`, {
    method: "POST",
    headers: { cookie: own.cookie, "sec-fetch-site": "same-origin", "content-type": "application/json" },
    body: JSON.stringify({ name: "shown once", permissions: ["emails:read"] }),
  })
  expect((await created.json()).apiKey).toMatch(patterns.get("an API key") ?? /^$/)
  await database.end()
})

/** What must not stand anywhere, whoever made it: the other tests of the run use the product too. */
const patterns = new Map([
  ["an API key", /mr_live_[0-9A-Za-z]{38}(?![0-9A-Za-z])/],
  ["a private key", /-----BEGIN (RSA |EC )?PRIVATE KEY-----/],
  ["a private key without its frame", /MII[EJ][A-Za-z0-9+/]{2}IBADANBgkqhkiG9w0BAQEFAASC/],
  ["a session cookie", /mailroom\.session=ey/],
  ["a stream token in an address", /stream\?token=[A-Za-z0-9_-]{20}/],
  ["a webhook secret", /whsec_[A-Za-z0-9+/]{30}/],
])

async function plant(own: Furnished, database: pg.Client): Promise<Canary[]> {
  const canaries: Canary[] = []
  const add = (name: string, secret: string) => {
    const bytes = Buffer.from(secret)
    canaries.push({ name, forms: [secret, encodeURIComponent(secret), bytes.toString("base64").replace(/=+$/, "").slice(0, -1), bytes.toString("hex")] })
  }
  add("API key of the operator", own.apiKey)
  add("password", own.password)
  const headers = { cookie: own.cookie, "sec-fetch-site": "same-origin", "content-type": "application/json" }
  const made = await fetch(`${own.baseUrl}/v1/projects/${own.projectId}/api-keys`, {
    method: "POST", headers, body: JSON.stringify({ name: "canary", permissions: ["emails:send", "emails:read"] }),
  })
  expect(made.headers.get("cache-control")).toContain("no-store")
  const key = String((await made.json()).apiKey)
  add("API key of the dashboard", key)
  for (const cookie of own.cookie.split("; ")) if (/session/.test(cookie)) add("session cookie", cookie.slice(cookie.indexOf("=") + 1))

  // A stream is opened with its token, and the token is tried again when it is used up.
  const bearer = { authorization: `Bearer ${key}` }
  const issue = async () => String((await (await fetch(`${own.baseUrl}/v1/emails/${own.projectId}/stream/token`, { method: "POST", headers: bearer })).json()).token)
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

  const { rows } = await database.query("SELECT k.id, k.private_key FROM dkim_keys k JOIN domains d ON d.id = k.domain_id WHERE d.name = 'canaries.test' AND k.private_key IS NOT NULL")
  expect(rows.length).toBeGreaterThan(0)
  for (const { id, private_key: sealed } of rows) {
    const der = Buffer.from(unsealed(sealed, `dkim_keys.private_key:${id}`, keyBytes).replace(/-----[^-]+-----|\s/g, ""), "base64")
    // From its middle, where it is neither a frame nor the public half.
    const middle = der.subarray(600, 660)
    canaries.push({ name: "DKIM key", forms: [middle.toString("base64"), middle.toString("hex"), der.toString("base64").slice(800, 860)] })
  }
  return canaries
}

/** Opens as the product does; written out here, so that the test does not trust the code that it tests. */
function unsealed(sealed: Buffer, aad: string, secretKey: Buffer): string {
  const derived = Buffer.from(hkdfSync("sha256", secretKey, "mailroom", "seal", 32))
  const decipher = createDecipheriv("aes-256-gcm", derived, sealed.subarray(5, 17)).setAAD(Buffer.from(aad)).setAuthTag(sealed.subarray(17, 33))
  return Buffer.concat([decipher.update(sealed.subarray(33)), decipher.final()]).toString()
}

/** Every read of the API, with the key and as the signed-in owner; its headers belong to the answer. */
async function everyAnswer({ baseUrl, ids, apiKey, cookie }: Furnished): Promise<[string, string][]> {
  const document = await (await fetch(`${baseUrl}/v1/openapi.json`)).json()
  const reads = Object.entries(document.paths as Record<string, Record<string, unknown>>).filter(([path, methods]) => methods.get && path !== "/v1/emails/stream")
  const answers: [string, string][] = []
  for (const [template] of reads) {
    const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? "nothing")
    for (const credential of [{ authorization: `Bearer ${apiKey}` }, { cookie }] as Record<string, string>[]) {
      const query = path.includes(ids.projectId ?? "-") ? "" : `?projectId=${ids.projectId}`
      const answer = await fetch(`${baseUrl}${path}${query}`, { headers: credential })
      expect([template, answer.status < 500]).toEqual([template, true])
      answers.push([`GET ${template}`, `${JSON.stringify([...answer.headers])}\n${await answer.text()}`])
    }
  }
  return answers
}

/** Every page as the signed-in owner gets it, as a document and as the payload of a navigation. */
async function everyPage({ baseUrl, ids, cookie }: Furnished): Promise<[string, string][]> {
  const pages: [string, string][] = []
  for (const { template, path } of allPages(ids)) {
    for (const headers of [{ cookie }, { cookie, rsc: "1" }] as Record<string, string>[]) {
      const answer = await fetch(`${baseUrl}${path}`, { headers, redirect: "manual" })
      expect([template, answer.status < 500]).toEqual([template, true])
      // The session's own cookie is renewed in a header, which is where it belongs.
      pages.push([`page ${template}`, await answer.text()])
    }
  }
  return pages
}

function everyFile(folders: string[]): [string, string][] {
  return folders.flatMap((folder) =>
    existsSync(folder)
      ? readdirSync(folder, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry): [string, string] => [join(entry.parentPath, entry.name), readFileSync(join(entry.parentPath, entry.name), "latin1")])
      : [],
  )
}

/** Every row of every table as text; bytes as hexadecimal digits. */
async function everyTable(database: pg.Client): Promise<[string, string][]> {
  const { rows } = await database.query("SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'public' AND c.relkind = 'r' ORDER BY 1")
  const tables: [string, string][] = []
  for (const { name } of rows) {
    const { rows: all } = await database.query(`SELECT t::text AS row FROM ${name} t`)
    tables.push([`table ${name}`, all.map(({ row }) => row).join("\n")])
  }
  return tables
}

function postgresRecord(): { port: number; password: string } {
  return JSON.parse(readFileSync(join(dataDir, "postgres.json"), "utf8"))
}

function databaseUrl(): string {
  const { port, password } = postgresRecord()
  return `postgresql://mailroom:${password}@127.0.0.1:${port}/mailroom`
}
