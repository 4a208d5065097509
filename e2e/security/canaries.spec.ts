import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "@playwright/test"
import pg from "pg"
import { addImport, createSampleOrganization, type SampleOrganization } from "@/e2e/support/sample-organization"
import { allPages } from "@/e2e/support/pages"
import { plant, postgresRecord } from "@/e2e/security/canaries"

// One secret of every kind is planted by using the product. Then everything that leaves it or stays behind is searched.

const dataDir = process.env.E2E_DATA_DIR ?? ""

test("no secret appears in a log, a page, a script, an answer or the database", async () => {
  const own = await createSampleOrganization("canaries")
  own.ids.importId = await addImport(own)
  const database = new pg.Client({ connectionString: databaseUrl() })
  await database.connect()
  const canaries = await plant(own, database)
  const kinds = [
    "API key",
    "session",
    "stream token",
    "DKIM key",
    "password",
    "sign-in link",
    "invite",
    "first run",
    "client secret",
    "relay",
    "SECRET_KEY",
    "database",
  ]
  expect(
    kinds.filter(
      (kind) => !canaries.some(({ name, forms }) => name.includes(kind) && forms.every((form) => form.length >= 12)),
    ),
  ).toEqual([])

  const found: string[] = []
  const seen = new Map<string, number>()
  const search = (place: string, kind: string, text: string) => {
    seen.set(kind, (seen.get(kind) ?? 0) + 1)
    for (const { name, forms } of canaries)
      if (forms.some((form) => text.includes(form))) found.push(`${name} in ${place}`)
    for (const [name, pattern] of patterns) if (pattern.test(text)) found.push(`${name} in ${place}`)
  }

  for (const [place, text] of await everyAnswer(own)) search(place, "answers", text)
  for (const [place, text] of await everyPage(own)) search(place, "pages", text)
  for (const [place, text] of everyFile([".next/static", "public"])) search(place, "static files", text)
  for (const [place, text] of everyFile([join(dataDir, "logs")])) search(place, "logs", text)
  for (const [place, text] of await everyTable(database)) search(place, "tables", text)
  await database.end()

  expect(found).toEqual([])
  process.stdout.write(
    `\nSearched for ${canaries.length} secrets in ${[...seen].map(([kind, count]) => `${count} ${kind}`).join(", ")}.\n`,
  )
  for (const [kind, least] of [
    ["answers", 15],
    ["pages", 30],
    ["static files", 20],
    ["logs", 3],
    ["tables", 20],
  ] as const)
    expect(seen.get(kind) ?? 0, kind).toBeGreaterThan(least - 1)
})

test("the search finds a known word in each place", async () => {
  const own = await createSampleOrganization("found")
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

/** What must appear nowhere, whichever test made it: the other tests of the run use the product too. */
const patterns = new Map([
  ["an API key", /mr_live_([a-z0-9]{2,8}_)?[0-9A-Za-z]{38}(?![0-9A-Za-z])/],
  ["a private key", /-----BEGIN (RSA |EC )?PRIVATE KEY-----/],
  ["a private key without its frame", /MII[EJ][A-Za-z0-9+/]{2}IBADANBgkqhkiG9w0BAQEFAASC/],
  ["a session cookie", /mailroom\.session=ey/],
  ["a stream token in an address", /stream\?token=([a-z0-9]{2,8}\.)?[A-Za-z0-9_-]{20}/],
  ["a webhook secret", /whsec_[A-Za-z0-9+/]{30}/],
])

/** Every read of the API, with the key and as the signed-in owner; its headers belong to the answer. */
async function everyAnswer({ baseUrl, ids, apiKey, cookie }: SampleOrganization): Promise<[string, string][]> {
  const document = await (await fetch(`${baseUrl}/v1/openapi.json`)).json()
  const reads = Object.entries(document.paths as Record<string, Record<string, unknown>>).filter(
    ([path, methods]) => methods.get && path !== "/v1/emails/stream",
  )
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
async function everyPage({ baseUrl, ids, cookie }: SampleOrganization): Promise<[string, string][]> {
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
          .map((entry): [string, string] => [
            join(entry.parentPath, entry.name),
            readFileSync(join(entry.parentPath, entry.name), "latin1"),
          ])
      : [],
  )
}

/** Every row of every table as text; bytes as hexadecimal digits. */
async function everyTable(database: pg.Client): Promise<[string, string][]> {
  const { rows } = await database.query(
    "SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'public' AND c.relkind = 'r' ORDER BY 1",
  )
  const tables: [string, string][] = []
  for (const { name } of rows) {
    const { rows: all } = await database.query(`SELECT t::text AS row FROM ${name} t`)
    tables.push([`table ${name}`, all.map(({ row }) => row).join("\n")])
  }
  return tables
}

function databaseUrl(): string {
  const { port, password } = postgresRecord()
  return `postgresql://mailroom:${password}@127.0.0.1:${port}/mailroom`
}
