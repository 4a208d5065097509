import { resolve } from "node:path"
import { expect, test } from "@playwright/test"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { z } from "zod"
import { admin } from "@/e2e/support/product"
import { guideNames } from "@/lib/docs/guides"
import { regionNames } from "@/lib/regions/regions"

// What programs and agents read and start, against the running product.

const baseUrl = process.env.E2E_BASE_URL ?? ""
let owner: { apiKey: string; projectId: string }

async function newProject(name: string) {
  const [region] = regionNames
  const made = await admin(
    process.env.E2E_DATA_DIR ?? "",
    ...["bootstrap", "--email", `${name}-${Date.now()}@example.com`, "--password", "a long password"],
    ...["--organization", name, "--project", "main", "--region", region],
  )
  return { apiKey: String(made.apiKey), projectId: String(made.projectId) }
}

test.beforeAll(async () => {
  owner = await newProject("programs")
})

test("llms.txt leads to every guide as Markdown on this host, without the marks of the tests", async ({ request }) => {
  const text = await (await request.get("/llms.txt")).text()
  expect(text).toMatch(/^# Mailroom\n\n> /)
  for (const name of guideNames) expect(text).toContain(`(${baseUrl}/docs/${name}.md)`)
  const all = await (await request.get("/llms-full.txt")).text()
  for (const name of guideNames) {
    const answer = await request.get(`/docs/${name}.md`)
    expect([name, answer.status(), answer.headers()["content-type"]]).toEqual([
      ...[name, 200, "text/markdown; charset=utf-8"],
    ])
    const guide = await answer.text()
    expect(guide).toMatch(/^# /)
    expect(guide).not.toMatch(/<!--|\{\{(?:domain|recipient|simulator|baseUrl)|\]\(\//)
    expect(all).toContain(guide)
  }
  expect((await request.get("/docs/nothing.md")).status()).toBe(404)
})

test("a guide's page names its Markdown as an alternate", async ({ page }) => {
  await page.goto("/docs/webhooks")
  const alternate = page.locator('link[rel="alternate"][type="text/markdown"]')
  await expect(alternate).toHaveAttribute("href", `${baseUrl}/docs/webhooks.md`)
})

const Variable = z.strictObject({ key: z.string().min(1), value: z.string(), type: z.literal("string") })
/** The parts of the collection format (v2.1.0) that ours uses. */
const Collection = z.strictObject({
  info: z.strictObject({
    ...{ name: z.string(), description: z.string(), version: z.string() },
    schema: z.literal("https://schema.getpostman.com/json/collection/v2.1.0/collection.json"),
  }),
  auth: z.strictObject({ type: z.literal("bearer"), bearer: z.array(Variable) }),
  variable: z.array(Variable),
  item: z.array(
    z.strictObject({
      ...{ name: z.string(), description: z.string() },
      item: z
        .array(
          z.strictObject({
            name: z.string(),
            request: z.strictObject({
              ...{ method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]), description: z.string() },
              header: z.array(Variable),
              url: z.strictObject({
                ...{ raw: z.string(), host: z.tuple([z.literal("{{baseUrl}}")]), path: z.array(z.string()) },
                query: z.array(
                  z.strictObject({
                    ...{ key: z.string(), value: z.string(), description: z.string().optional() },
                    disabled: z.boolean(),
                  }),
                ),
                variable: z.array(Variable),
              }),
              body: z
                .discriminatedUnion("mode", [
                  z.strictObject({
                    ...{ mode: z.literal("raw"), raw: z.string() },
                    options: z.strictObject({ raw: z.strictObject({ language: z.literal("json") }) }),
                  }),
                  z.strictObject({
                    mode: z.literal("formdata"),
                    formdata: z.array(z.strictObject({ key: z.string(), type: z.literal("file") })),
                  }),
                  z.strictObject({ mode: z.literal("file") }),
                ])
                .optional(),
            }),
            response: z.tuple([]),
          }),
        )
        .min(1),
    }),
  ),
})

test("the collection has the form of its format, and its requests run as they are once key and project are set", async ({
  request,
}) => {
  const answer = await request.get("/docs/collection.json")
  const { item: folders, variable } = Collection.parse(await answer.json())
  const values = new Map(variable.map(({ key, value }) => [key, value]))
  values.set("apiKey", owner.apiKey).set("projectId", owner.projectId)
  const filled = (text: string) => text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values.get(name) ?? "")
  const all = folders.flatMap(({ item }) => item)
  expect(all.length).toBeGreaterThan(100)
  const run = async (name: string) => {
    const found = all.find((one) => one.name === name)
    if (!found) throw new Error(`The collection has no request ${name}.`)
    const { method, url, header, body } = found.request
    const ids = new Map(url.variable.map(({ key, value }) => [key, filled(value)]))
    const address = filled(url.raw).replaceAll(/\/:(\w+)/g, (_, key: string) => `/${ids.get(key)}`)
    const headers = Object.fromEntries(header.map(({ key, value }) => [key, value]))
    const sent = await request.fetch(address, {
      method,
      headers: { ...headers, authorization: `Bearer ${owner.apiKey}` },
      ...(body?.mode === "raw" ? { data: body.raw } : {}),
    })
    return [name, sent.status(), ((await sent.json()) as { code?: string }).code]
  }
  expect(await run("Get the calling API key")).toEqual(["Get the calling API key", 200, undefined])
  expect(await run("List contacts")).toEqual(["List contacts", 200, undefined])
  expect(await run("Create topic")).toEqual(["Create topic", 201, undefined])
  // Its sender is not ours; the request itself is good.
  expect(await run("Send an email")).toEqual(["Send an email", 422, "email.from_domain_not_verified"])
})

type Told = { isError: boolean | undefined; value: Record<string, unknown> }

async function connected(apiKey: string, ...options: string[]) {
  const client = new Client({ name: "test", version: "1.0.0" })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [resolve("lib/cli/launch.mjs"), "mcp", ...options],
      env: { PATH: process.env.PATH ?? "", MAILROOM_URL: baseUrl, MAILROOM_API_KEY: apiKey },
      stderr: "pipe",
    }),
  )
  const use = async (name: string, given: Record<string, unknown> = {}): Promise<Told> => {
    const { content, isError } = await client.callTool({ name, arguments: given })
    const [part] = content as { text: string }[]
    const text = part?.text ?? ""
    return { isError: isError as boolean | undefined, value: text.startsWith("{") ? JSON.parse(text) : { text } }
  }
  return { client, use }
}

test("an agent finds out by MCP why an email has its status, and sends in test mode only, unless it is allowed more", async ({
  request,
}) => {
  const { apiKey, projectId } = await newProject("agent")
  const headers = { authorization: `Bearer ${apiKey}` }
  const [region] = regionNames
  const added = await request.post(`/v1/projects/${projectId}/domains`, {
    ...{ headers, data: { domain: "agent.test", region } },
  })
  const { id: domainId } = (await added.json()) as { id: string }
  await expect
    .poll(
      async () =>
        (await (await request.get(`/v1/projects/${projectId}/domains/${domainId}`, { headers })).json()).status,
    )
    .toBe("verified")

  const { client, use } = await connected(apiKey)
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["getEmailExplanation", "listEmails"]))
  expect(tools.filter(({ annotations }) => !annotations?.readOnlyHint).map(({ name }) => name)).toEqual(["sendEmail"])
  expect(JSON.stringify(tools.map(({ inputSchema }) => inputSchema))).not.toContain("#/components/")

  const mail = { from: "Shop <orders@agent.test>", to: ["ada@lovelace.example"], subject: "Hello", text: "Hi" }
  const sent = await use("sendEmail", mail)
  expect(sent).toMatchObject({ isError: undefined, value: { id: expect.stringMatching(/^email_/) } })
  const emailId = String(sent.value.id)
  await expect.poll(async () => (await use("getProjectEmail", { emailId })).value.status).toBe("test")
  expect(await use("getEmailExplanation", { emailId })).toMatchObject({ value: { cause: expect.any(String) } })
  expect((await use("listEmails", { size: 1 })).value.data).toHaveLength(1)

  const wrong = await use("sendEmail", { ...mail, to: ["nobody"] })
  expect(wrong).toMatchObject({
    isError: true,
    value: { code: "request.invalid", errors: [{ pointer: "/to/0", detail: expect.any(String) }] },
  })
  expect(await use("sendEmail", { ...mail, testMode: false })).toMatchObject({
    isError: true,
    value: { text: expect.stringContaining("--allow-sending") },
  })
  expect(await use("deleteDomain", { domainId })).toMatchObject({ isError: true })
  await client.close()

  const allowed = await connected(apiKey, "--allow-sending")
  const real = await allowed.use("sendEmail", mail)
  await expect
    .poll(async () => (await allowed.use("getProjectEmail", { emailId: real.value.id })).value.status)
    .toBe("delivered")
  await allowed.client.close()
})

test("an agent is offered no tool that its key does not allow, and a wrong key ends the server with a sentence", async ({
  request,
}) => {
  expect((await request.get("/v1/key")).status()).toBe(401)
  await expect(connected("mr_live_wrong")).rejects.toThrow(/closed/i)
  const made = await admin(
    process.env.E2E_DATA_DIR ?? "",
    ...["create-key", "--project", owner.projectId, "--name", "domains", "--permissions", "domains:read"],
  )
  const { client } = await connected(String(made.apiKey))
  const names = (await client.listTools()).tools.map(({ name }) => name)
  expect(names).toEqual(["listDomains", "getDomain", "diagnoseDomain", "listDomainChecks", "getDmarcSummary"])
  await client.close()
})
