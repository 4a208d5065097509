import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { transformSync } from "esbuild"
import openapiTs, { astToString } from "openapi-typescript"
import { afterAll, expect, test } from "vitest"
import { addVerifiedDomain } from "@/e2e/support/examples"
import { api, newWorld } from "@/e2e/support/world"
import { apiDocument } from "@/lib/api/openapi"

mkdirSync("node_modules/.cache", { recursive: true })
// Below node_modules, so that the client finds its package.
const folder = mkdtempSync("node_modules/.cache/typed-client-")
afterAll(() => rmSync(folder, { recursive: true }))

const usage = `
import createClient from "openapi-fetch"
import type { paths } from "./mailroom.js"

export async function send(fetch: (request: Request) => Promise<Response>, key: string, from: string) {
  const client = createClient<paths>({ baseUrl: "http://localhost:3000", fetch, headers: { Authorization: \`Bearer \${key}\` } })
  const { data, error } = await client.POST("/v1/emails", {
    body: { from, to: ["ada@lovelace.example"], subject: "Typed", text: "Hi" },
  })
  const id: string | undefined = data?.id
  const code: string | undefined = error?.code
  return { id, code }
}

export function refused(client: ReturnType<typeof createClient<paths>>) {
  // @ts-expect-error a field is missing because it is misspelt
  void client.POST("/v1/emails", { body: { from: "a@b.example", to: ["c@d.example"], subjekt: "Hi", text: "Hi" } })
  // @ts-expect-error a number in place of a text
  void client.POST("/v1/emails", { body: { from: "a@b.example", to: ["c@d.example"], subject: 1 } })
  // @ts-expect-error a path that does not exist
  void client.GET("/v1/mails", {})
  // @ts-expect-error an id of the path is missing
  void client.GET("/v1/projects/{projectId}/domains", {})
}

export async function codes(client: ReturnType<typeof createClient<paths>>) {
  const { error } = await client.GET("/v1/emails/{emailId}", { params: { path: { emailId: "email_x" } } })
  // @ts-expect-error the code of a problem is a text
  const wrong: number | undefined = error?.code
  return wrong
}
`

test("a client compiled from our document sends an email, and refuses wrong fields when it is compiled", async () => {
  const types = astToString(await openapiTs(JSON.parse(JSON.stringify(apiDocument())), { defaultNonNullable: false }))
  writeFileSync(join(folder, "mailroom.ts"), types)
  writeFileSync(join(folder, "usage.ts"), usage)
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }')
  const compiler = ["node_modules/typescript-7/bin/tsc", "--noEmit", "--strict", "--skipLibCheck", "--ignoreConfig"]
  const options = ["--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom", "--types", "node"]
  const compiled = spawnSync(process.execPath, [...compiler, ...options, join(folder, "usage.ts")], {
    encoding: "utf8",
  })
  expect(compiled.stdout).toBe("")

  writeFileSync(join(folder, "usage.js"), transformSync(usage, { loader: "ts" }).code)
  const { send } = await import(join(process.cwd(), folder, "usage.js"))
  const world = await newWorld()
  await addVerifiedDomain(world)
  /** The client's request, through the whole operation. */
  const fetch = async (request: Request) => {
    expect({ method: request.method, pathname: new URL(request.url).pathname }).toEqual({
      method: "POST",
      pathname: "/v1/emails",
    })
    const headers = Object.fromEntries(request.headers)
    return (await api("POST /v1/emails", { rawBody: await request.text(), headers })).response
  }
  const sent = await send(fetch, world.apiKey, "Acme <hello@acme.test>")
  expect(sent).toEqual({ id: expect.stringMatching(/^email_/), code: undefined })
  const stored = await api("GET /v1/emails/{emailId}", { key: world.apiKey, params: { emailId: sent.id } })
  expect(stored.json.subject).toBe("Typed")
  const refused = await send(fetch, world.apiKey, "Nobody <hello@unknown.example>")
  expect(refused).toEqual({ id: undefined, code: "email.from_domain_not_verified" })
}, 120_000)
