import { expect, test } from "@playwright/test"
import { newTenant, request, type Tenant } from "@/e2e/support/findings"

// What one tenant describes or asks to be requested must not stop anybody else.

/** An event may have a value of 64 KiB in a template: just less without data, and more with that of a contact. */
function filling() {
  const fields = Object.fromEntries(Array.from({ length: 5 }, (_, at) => [`f${at}`, "\u0001".repeat(2_000)]))
  const left = 64 * 1024 - JSON.stringify({ ...fields, h0: "", h1: "", h2: "" }).length - 120
  const more = Object.fromEntries([0, 1, 2].map((at) => [`h${at}`, "x".repeat(Math.floor(left / 3))]))
  return [
    { type: "rename_field", from: "data", to: "a" },
    ...Object.entries({ ...fields, ...more }).map(([name, template]) => {
      return { type: "compute_field", field: `a.${name}`, template }
    }),
    ...Array.from({ length: 8 }, (_, at) => {
      return { type: "compute_field", field: `g${at}`, template: "{{a}}".repeat(400) }
    }),
  ]
}

const certain = [
  { type: "rename_field", from: "data", to: "a" },
  ...Array.from({ length: 11 }, (_, at) => {
    return { type: "compute_field", field: `a.f${at}`, template: "\u0001".repeat(2_000) }
  }),
  ...Array.from({ length: 8 }, (_, at) => ({ type: "compute_field", field: `g${at}`, template: "{{a}}".repeat(400) })),
]

const url = "https://hooks.example.com/x"
const webhooksOf = ({ projectId }: Tenant) => `/v1/projects/${projectId}/webhooks`

async function newWebhook(tenant: Tenant, body: object): Promise<string> {
  const made = await tenant.call("POST", webhooksOf(tenant), { url, events: ["contact.created"], ...body })
  expect(made.status, made.text).toBe(201)
  return `${webhooksOf(tenant)}/${made.json.id}`
}

async function addContact({ call, projectId }: Tenant, email: string): Promise<void> {
  const made = await call("POST", `/v1/projects/${projectId}/contacts`, { email, firstName: "Ada".repeat(60) })
  expect(made.status, made.text).toBe(201)
}

const deliveries = async (tenant: Tenant, webhook: string) =>
  (await tenant.call("GET", `${webhook}/deliveries`)).json.data as { status: string; lastError?: string }[]

test("transformations that no event could pass are refused when they are saved", async () => {
  const tenant = await newTenant()
  const body = { url, events: ["email.delivered"], transformations: certain }
  const { status, json } = await tenant.call("POST", webhooksOf(tenant), body)
  expect([status, json.errors[0].pointer]).toEqual([400, "/transformations"])
})

test("a webhook whose transformations make too much of an event fails alone and says why; previews of it keep nobody waiting", async () => {
  const [attacker, neighbour] = [await newTenant(), await newTenant()]
  const transformations = filling()
  const hostile = await newWebhook(attacker, { transformations })
  const quick = await newWebhook(neighbour, { filters: [{ field: "data.email", operator: "contains", value: "ada" }] })
  for (let nth = 0; nth < 20; nth++) await addContact(attacker, `ada-${nth}@lovelace.example`)
  await addContact(neighbour, "ada@lovelace.example")
  await expect.poll(async () => (await deliveries(neighbour, quick)).length).toBe(1)
  await expect.poll(async () => (await deliveries(attacker, hostile)).length).toBe(20)
  for (const { status, lastError } of await deliveries(attacker, hostile))
    expect([status, lastError]).toEqual(["failed", expect.stringMatching(/larger than 64 KiB/)])

  // Three attempts, as with every measure of time.
  const readsMs: number[] = []
  while (readsMs.length < 3 && !readsMs.some((ms) => ms < 2_000)) {
    const previews = Array.from({ length: 4 }, () =>
      attacker.call("POST", `${webhooksOf(attacker)}/preview`, { events: ["contact.created"], transformations }),
    )
    const startedAt = performance.now()
    expect((await neighbour.call("GET", webhooksOf(neighbour))).status).toBe(200)
    readsMs.push(performance.now() - startedAt)
    for (const { json } of await Promise.all(previews))
      expect(json.data[0]).toMatchObject({ delivered: false, failure: expect.stringMatching(/64 KiB/) })
  }
  expect(Math.min(...readsMs), "milliseconds of the neighbour's read").toBeLessThan(2_000)
})

test("a project checks 1,000 links a minute; more is 503 with Retry-After, and a neighbour's check is answered", async () => {
  const [tenant, neighbour] = [await newTenant(), await newTenant()]
  const html = Array.from({ length: 100 }, (_, at) => `<a href="mailto:a${at}@b.example">x</a>`).join("")
  for (let nth = 0; nth < 10; nth++) await tenant.call("POST", "/v1/emails/validate", { html })
  // The minute may have ended between two of them.
  let refused = await tenant.call("POST", "/v1/emails/validate", { html })
  for (let nth = 0; refused.status === 200 && nth < 10; nth++)
    refused = await tenant.call("POST", "/v1/emails/validate", { html })
  expect([refused.status, refused.json.code]).toEqual([503, "service.unavailable"])
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0)
  expect((await neighbour.call("POST", "/v1/emails/validate", { html })).status).toBe(200)
})

test("/health names what stands still", async () => {
  const { json } = await request("GET", "/health")
  expect(["ok", "degraded"]).toContain(json.status)
  expect(json.overdue).toEqual(expect.any(Array))
})
