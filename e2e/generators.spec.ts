import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "@playwright/test"
import {
  type Found,
  generators,
  type Given,
  makeClient,
  prepareGenerators,
  spectralFindings,
} from "@/e2e/support/generators"
import { admin } from "@/e2e/support/product"
import { regionNames } from "@/lib/regions/regions"

// The document of the running product, as other people's programs read it.

const baseUrl = process.env.E2E_BASE_URL ?? ""
let document: { servers: { url: string }[] }
let given: Given

test.beforeAll(async ({ request }) => {
  test.skip(process.env.MAILROOM_LONG !== "1", "part of npm run test:long")
  test.setTimeout(600_000)
  document = await (await request.get("/v1/openapi.json")).json()
  prepareGenerators(document)
  const [region] = regionNames
  const made = await admin(
    process.env.E2E_DATA_DIR ?? "",
    ...["bootstrap", "--email", `generators-${Date.now()}@example.com`, "--password", "a long password"],
    ...["--organization", "Generators", "--project", "main", "--region", region],
  )
  const [apiKey, projectId] = [String(made.apiKey), String(made.projectId)]
  const headers = { authorization: `Bearer ${apiKey}` }
  await request.post(`/v1/projects/${projectId}/contacts`, { headers, data: { email: "ada@lovelace.example" } })
  const domains = `/v1/projects/${projectId}/domains`
  const added = await request.post(domains, { headers, data: { domain: "generators.test", region } })
  const { id } = (await added.json()) as { id: string }
  await expect
    .poll(async () => (await (await request.get(`${domains}/${id}`, { headers })).json()).status)
    .toBe("verified")
  given = { baseUrl, apiKey, projectId, from: "Shop <orders@generators.test>", to: "ada@lovelace.example" }
})

test("Redocly and Spectral find nothing in the document, not even a hint", () => {
  const folder = mkdtempSync(join(tmpdir(), "mailroom-document-"))
  try {
    // As on an installation with an address of its own: that of a test is localhost.
    writeFileSync(
      join(folder, "openapi.json"),
      JSON.stringify({ ...document, servers: [{ url: "https://mailroom.acme.dev" }] }),
    )
    const lint = [
      "node_modules/@redocly/cli/bin/cli.js",
      "lint",
      join(folder, "openapi.json"),
      "--extends",
      "recommended",
    ]
    const told = execFileSync(process.execPath, [...lint, "--format", "json"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    })
    expect(JSON.parse(told.slice(told.indexOf("{"))).problems).toEqual([])
  } finally {
    rmSync(folder, { recursive: true })
  }
  expect(spectralFindings()).toEqual([])
})

for (const name of Object.keys(generators))
  test(`a client made by ${name} compiles strictly, reads the contacts and sends an email`, async ({ request }) => {
    test.setTimeout(600_000)
    const { use } = (await import(makeClient(name, baseUrl))) as { use(given: Given): Promise<Found> }
    const found = await use(given)
    expect(found).toEqual({ contacts: 1, id: expect.stringMatching(/^email_/) })
    const sent = await request.get(`/v1/emails/${found.id}`, { headers: { authorization: `Bearer ${given.apiKey}` } })
    expect(await sent.json()).toMatchObject({ to: [given.to], subject: "Hello" })
  })
