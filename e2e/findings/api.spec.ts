import { expect, test } from "@playwright/test"
import { baseUrl, newTenant, request, type Tenant } from "@/e2e/support/findings"
import { admin } from "@/e2e/support/product"

// What callers of the API met: published and generated clients, and people with curl.

let tenant: Tenant
const at = (path: string) => `/v1/projects/${tenant.projectId}${path}`
const json = { "Content-Type": "application/json" }

test.beforeAll(async () => {
  tenant = await newTenant()
})

const mail = (more: object) => ({
  from: "Acme <hello@nowhere.example>",
  to: "ada@lovelace.example",
  subject: "Hello",
  text: "Hi",
  testMode: true,
  ...more,
})
const faultsOf = async (body: unknown) =>
  (await tenant.call("POST", "/v1/emails", body)).json.errors?.map(({ pointer }: { pointer: string }) => pointer) ?? []

test("the stream may be opened by a page of another origin, and nothing else may", async () => {
  const { json: issued } = await tenant.call("POST", `/v1/emails/${tenant.projectId}/stream/token`)
  const controller = new AbortController()
  const stream = await fetch(`${baseUrl()}/v1/emails/stream?token=${issued.token}`, {
    headers: { origin: "https://shop.example" },
    signal: controller.signal,
  })
  expect([stream.status, stream.headers.get("access-control-allow-origin")]).toEqual([200, "*"])
  controller.abort()
  const other = await tenant.call("GET", "/v1/key", undefined, { origin: "https://shop.example" })
  expect(other.headers.get("access-control-allow-origin")).toBeNull()
})

test("every pattern of the document means the same with and without the flag u, and takes people's names", async () => {
  const { json: document } = await request("GET", "/v1/openapi.json")
  const patterns: string[] = []
  JSON.stringify(document, (key, value: unknown) => {
    if (key === "pattern" && typeof value === "string") patterns.push(value)
    return value
  })
  expect(patterns.length).toBeGreaterThan(5)
  const names = ["Pippa", "Carl", "Chloé", "Ünal", "李雷"]
  for (const pattern of new Set(patterns))
    for (const name of names)
      expect([pattern, name, new RegExp(pattern).test(name)]).toEqual([
        pattern,
        name,
        new RegExp(pattern, "u").test(name),
      ])
})

test("a header Idempotency-Key without its field is answered by a notice, and nulls come to who prefers them", async () => {
  const answer = await tenant.call("POST", "/v1/emails", mail({}), { "Idempotency-Key": "one" })
  expect(answer.headers.get("mailroom-notice")).toContain("Idempotency-Key is not read")
  const key = await tenant.call("GET", "/v1/key", undefined, { Prefer: "nulls=present" })
  expect(key.json).toMatchObject({ projectId: tenant.projectId, expiresAt: null })
  expect(key.headers.get("preference-applied")).toBe("nulls=present")
})

test("an export refuses a query parameter that it does not know, and HEAD answers what GET would", async () => {
  expect((await tenant.call("GET", at("/contacts/export?segmentID=x"))).status).toBe(400)
  const [get, head] = [await tenant.call("GET", at("/contacts")), await tenant.call("HEAD", at("/contacts"))]
  expect([head.status, head.text, head.headers.get("content-type")]).toEqual([200, "", get.headers.get("content-type")])
})

test("a body may begin with a byte order mark; an empty one is named, and a syntax error has its place", async () => {
  const send = (body: string) => tenant.call("POST", at("/topics"), body, json)
  expect((await send(`\uFEFF${JSON.stringify({ name: "News", defaultSubscription: "opt_in" })}`)).status).toBe(201)
  expect((await send("")).json.detail).toMatch(/empty/i)
  expect((await send('{"name": "News",,}')).json.detail).toMatch(/\b1[67]\b/)
})

test("times in every form of RFC 3339 and a bare string in cc and bcc are taken; a lone surrogate is named once", async () => {
  const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  for (const scheduledAt of [`${day}t10:00:00z`, `${day}T10:00+02:00`, `${day}T10:00:00+0000`])
    expect([scheduledAt, await faultsOf(mail({ scheduledAt }))]).toEqual([scheduledAt, []])
  expect(await faultsOf(mail({ cc: "a@x.example", bcc: "b@x.example" }))).toEqual([])
  const answer = await tenant.call("POST", "/v1/emails", `{"subject":"\\ud800","text":"x"}`, json)
  expect(answer.status).toBe(400)
  expect(answer.text).not.toMatch(/\\ud[89a-f]/i)
  const pointers = answer.json.errors.map(({ pointer }: { pointer: string }) => pointer)
  expect(pointers).toEqual([...new Set(pointers)])
})

test("what a problem calls raisable can be raised, and paths that nothing has are problems", async () => {
  const limits = [
    "--max-domains",
    "7",
    "--max-webhooks",
    "7",
    "--max-api-keys",
    "7",
    "--max-recipients-per-message",
    "7",
  ]
  const raised = await admin(
    process.env.E2E_DATA_DIR ?? ".data",
    "set-limits",
    "--project",
    tenant.projectId,
    ...limits,
  )
  expect(raised).toMatchObject({ projectId: tenant.projectId })
  const upload = await request("POST", "/sign-in", "--b--", { "Content-Type": "multipart/form-data; boundary=b" })
  expect([upload.status, upload.json.code]).toEqual([404, "request.not_found"])
  for (const path of ["/robots.txt", "/favicon.ico"])
    expect([path, (await request("GET", path)).status]).toEqual([path, 200])
  expect((await request("POST", "/v1/emails/validate", {}, { Authorization: `Bearer ${tenant.apiKey}` })).status).toBe(
    200,
  )
})
