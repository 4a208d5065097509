import { expect, test } from "@playwright/test"
import { baseUrl, newTenant, request } from "@/e2e/support/findings"
import { signIn } from "@/e2e/support/sample-organization"
import { admin } from "@/e2e/support/product"
import { regionNames } from "@/lib/regions/regions"

/** The text of a page, without the comments that React puts between parts of it. */
async function page(path: string, cookie = ""): Promise<string> {
  const { status, text } = await request("GET", path, undefined, { Accept: "text/html", Cookie: cookie })
  expect(status).toBe(200)
  return text
    .replaceAll(/<!--.*?-->/g, "")
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'")
}

test("the guides name this installation, and a stranger gets lines for what only a reader's project knows", async () => {
  for (const guide of ["quickstart", "webhooks", "sdk"]) {
    const text = await page(`/docs/${guide}`)
    expect(text).toContain(`${baseUrl()}/v1/`)
    expect(text).toContain("export KEY=mr_live_…")
  }
  expect(await page("/docs/quickstart")).toContain("export PROJECT=proj_…")
})

test("the quickstart of somebody who is signed in has the project, its region and what the key needs", async () => {
  const person = { email: `reader-${Date.now()}@example.com`, password: "a long password" }
  const [region] = regionNames
  const { projectId } = await admin(
    process.env.E2E_DATA_DIR ?? ".data",
    "bootstrap",
    ...["--email", person.email, "--password", person.password],
    ...["--organization", "Readers", "--project", "main", "--region", region],
  )
  const text = await page("/docs/quickstart", await signIn(baseUrl(), "password", person))
  expect(text).toContain(`${baseUrl()}/v1/projects/${projectId}/domains`)
  expect(text).toContain(`"region": "${region}"`)
  expect(text).toContain("They need a key with domains:write, domains:read, emails:send and emails:read")
})

test("the OpenAPI document describes each tag, names this installation, and its sample of the stream has a token", async () => {
  const { json } = await request("GET", "/v1/openapi.json")
  expect(json.servers).toEqual([{ url: baseUrl() }])
  expect(json.tags.filter(({ description }: { description?: string }) => !description)).toEqual([])
  const samples = json.paths["/v1/emails/stream"].get["x-codeSamples"] as { source: string }[]
  for (const { source } of samples) expect(source).toMatch(/token=\$(?:TOKEN|\{process\.env\.TOKEN\})/)
})

test("figures say whether delivery is reported, of how many it is not, and add up to what was sent", async () => {
  const { call, projectId } = await newTenant()
  for (const path of ["/v1/metrics/summary", "/v1/metrics/timeline"]) {
    const { json } = await call("GET", path)
    expect(json.totals ?? json).toMatchObject({ deliveryReported: true, deliveryNotReported: 0 })
  }
  const topic = await call("POST", `/v1/projects/${projectId}/topics`, { name: "News", defaultSubscription: "opt_in" })
  expect((await call("GET", `/v1/metrics/topics/${topic.json.id}`)).json).toMatchObject({ deliveryReported: true })
})
