import { expect, test, type Page } from "@playwright/test"
import { expectAccessible, watch } from "@/e2e/support/browser"
import { createSampleOrganization, type SampleOrganization } from "@/e2e/support/sample-organization"
import { becomeOwner, productDatabase } from "@/e2e/support/signed-in"
import { decodeId } from "@/lib/platform/ids"

let own: SampleOrganization

test.beforeAll(async ({ browserName: _browser }, info) => {
  own = await createSampleOrganization(`logs-${info.workerIndex}`)
})

const keyId = () => own.ids.keyId ?? ""
const ask = (method: string, path: string) =>
  fetch(`${own.baseUrl}${path}`, { method, headers: { authorization: `Bearer ${own.apiKey}` } })

test("the request log is filtered by status and route, and its filters are in the address", async ({
  page,
  context,
}) => {
  const { faults } = watch(page)
  await ask("DELETE", `/v1/projects/${own.projectId}/domains/dom_01k9q3f7c2e8m9v4x6y8z0a1b3`)
  await becomeOwner(context, own)
  const requests = page.getByRole("table", { name: "Requests" })
  const problem = requests.getByRole("link", { name: "domain.not_found" })
  await expect(async () => {
    await page.goto(`/projects/${own.projectId}/logs`)
    await expect(problem).toHaveAttribute("href", "/problems/domain.not_found", { timeout: 5_000 })
  }).toPass()
  const refused = page.getByRole("link", { name: "domain.not_found" })
  await expect(requests.getByRole("row").filter({ has: refused })).toContainText("404")
  await expect(requests.getByRole("row").filter({ hasText: "POST /v1/emails" }).first()).toContainText("201")
  await page.getByLabel("Status").selectOption("4xx")
  await expect(page).toHaveURL(/status=4xx/)
  await expect(requests.getByRole("row")).toHaveCount(3)
  await expect(requests).toContainText(/Today, \w+ \d+ \w+/)
  await expect(requests).toContainText("DELETE /v1/projects/{projectId}/domains/{domainId}")
  await page.getByLabel("Route, request ID or email ID").fill("/emails")
  await expect(page.getByText("No request matches")).toBeVisible()
  await page.goBack()
  await expect(requests.getByRole("row")).toHaveCount(3)
  await page.getByRole("button", { name: "Clear" }).click()
  await expect(requests.getByRole("row").nth(2)).toBeVisible()
  await expectAccessible(page)
  expect(faults).toEqual([])
})

test("the audit log says who changed what, before and after, and is filtered by area", async ({ page, context }) => {
  const { faults } = watch(page)
  await becomeOwner(context, own)
  await page.goto(`/projects/${own.projectId}/logs`)
  await page.getByRole("navigation", { name: "Logs" }).getByRole("link", { name: "Audit" }).click()
  const entries = page.getByRole("region", { name: "Audit entries" })
  await expect(entries).toContainText("The operator created the API key bootstrap")
  await expect(entries).toContainText("The operator")
  await expect(
    entries
      .getByRole("term")
      .filter({ hasText: /^Key starts with$/ })
      .first(),
  ).toBeVisible()
  await expect(entries.getByRole("term").filter({ hasText: /^[a-z]/ })).toHaveCount(0)
  await page.getByLabel("Area").selectOption("api_key")
  await expect(page).toHaveURL(/action=api_key/)
  await expect(entries.getByRole("listitem").first()).toContainText("API key")
  await expect(entries).not.toContainText("created the organization by a command")
  await page.getByLabel("ID or address that was changed").fill("nobody@example.com")
  await expect(page.getByText("No entry matches")).toBeVisible()
  await page.getByRole("button", { name: "Clear" }).click()
  await expectAccessible(page)
  expect(faults).toEqual([])
})

const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true })

async function openKey(page: Page, keyId: string) {
  const chart = page.getByRole("slider", { name: /^Requests: / })
  await expect(async () => {
    await page.goto(`/projects/${own.projectId}/api-keys/${keyId}`)
    await expect(chart).toBeVisible({ timeout: 2_000 })
  }).toPass()
  return chart
}

test("the page of a key shows its requests by day and by hour, and those of one bar, and exports them", async ({
  page,
  context,
}) => {
  const { faults } = watch(page)
  await becomeOwner(context, own)
  const chart = await openKey(page, keyId())
  const usage = region(page, "Requests over time")
  await expect(usage).toContainText("95th percentile")
  await chart.focus()
  await page.keyboard.press("ArrowLeft")
  await expect(usage).toContainText(/, so far: [\d,]+ requests?, \d+ refused/)
  await page.keyboard.press("Enter")
  await expect(page).toHaveURL(new RegExp(`at=${new Date().toISOString().slice(0, 10)}`))
  const requests = region(page, "Requests")
  await expect(requests).toContainText(/Of \w+ \d+ \w+, newest first/)
  await expect(requests.getByRole("row").nth(1)).toBeVisible()
  await chart.focus()
  await page.keyboard.press("Home")
  await page.keyboard.press("Enter")
  await expect(requests).toContainText("This key made no requests in that period.")
  await requests.getByRole("button", { name: "Show all" }).click()
  await expect(requests.getByRole("row").nth(1)).toBeVisible()
  await usage.getByText("24 hours", { exact: true }).click()
  await expect(page).toHaveURL(/period=24h/)
  await expect(usage.getByRole("heading", { name: "Requests by hour" })).toBeVisible()
  await chart.focus()
  await page.keyboard.press("End")
  await expect(usage).toContainText(/\d\d:00 to \d\d:00 UTC, so far: /)
  const download = page.waitForEvent("download")
  await page.getByRole("link", { name: "Export CSV" }).click()
  expect((await download).suggestedFilename()).toBe(`usage-${keyId()}.csv`)
  await expectAccessible(page)
  expect(faults).toEqual([])
})

test("a permission that a key has not used in 30 days is removed, and given back by Undo", async ({
  page,
  context,
}) => {
  const { faults } = watch(page)
  const database = await productDatabase()
  const id = decodeId("key", keyId())
  await database.query("UPDATE api_keys SET created_at = now() - interval '40 days' WHERE id = $1", [id])
  await becomeOwner(context, own)
  await openKey(page, keyId())
  const permissions = region(page, "Permissions")
  await expect(permissions.getByRole("listitem").filter({ hasText: "emails:send" })).not.toContainText("sed")
  const unused = permissions.getByRole("listitem").filter({ hasText: "suppressions:write" })
  await expect(unused).toContainText("Never used")
  await unused.getByRole("button", { name: "Remove suppressions:write" }).click()
  await expect(page.getByText("suppressions:write was removed")).toBeVisible()
  await expect(unused).toHaveCount(0)
  await page.getByRole("button", { name: "Undo" }).click()
  await expect(unused).toContainText("Never used")
  await expectAccessible(page)
  await database.query("UPDATE api_keys SET created_at = now() WHERE id = $1", [id])
  await database.end()
  expect(faults).toEqual([])
})

test("a request opens with why it was refused, is found by its id and by the email it made, and links to it", async ({
  page,
  context,
}) => {
  const { faults } = watch(page)
  await becomeOwner(context, own)
  const call = (path: string, body: unknown) =>
    fetch(`${own.baseUrl}${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${own.apiKey}`, "content-type": "application/json", "user-agent": "shop/2.1" },
      body: JSON.stringify(body),
    })
  const refused = await call("/v1/emails", { from: "nobody", to: [] })
  const refusedId = refused.headers.get("x-request-id") ?? ""
  const mail = {
    from: `hello@${own.email.split("@")[0]}.test`,
    to: ["ada@lovelace.example"],
    subject: "Hi",
    text: "Hi",
  }
  const sent = await call("/v1/emails", { ...mail, idempotencyKey: "order-60833" })
  const sentId = sent.headers.get("x-request-id") ?? ""
  const { id: emailId } = (await sent.json()) as { id: string }
  const requests = page.getByRole("table", { name: "Requests" })
  await expect(async () => {
    await page.goto(`/projects/${own.projectId}/logs`)
    await expect(requests).toContainText(sentId, { timeout: 5_000 })
  }).toPass()

  await page.setViewportSize({ width: 1_440, height: 900 })
  const shownId = requests.getByText(sentId)
  expect(await shownId.evaluate((code) => code.scrollWidth <= code.clientWidth), "the id is whole").toBe(true)
  await requests.getByRole("link", { name: "POST /v1/emails" }).nth(1).click()
  await expect(page).toHaveURL(new RegExp(`/logs/${refusedId}$`))
  await expect(region(page, "Problem")).toContainText("request.invalid")
  await expect(region(page, "Problem")).toContainText("/from")
  await expect(region(page, "Caller")).toContainText("shop/2.1")
  await expectAccessible(page)

  await page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link", { name: "Requests" }).click()
  const search = page.getByLabel("Route, request ID or email ID")
  await search.fill(emailId)
  await expect(page).toHaveURL(new RegExp(`made=${emailId}`))
  await expect(requests.getByRole("link", { name: "POST /v1/emails" })).toHaveCount(1)
  await search.fill(sentId)
  await expect(page).toHaveURL(new RegExp(`/logs/${sentId}$`))
  await expect(region(page, "Caller")).toContainText("order-60833")
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page)
  await region(page, "Objects").getByRole("link", { name: emailId }).click()
  await expect(page).toHaveURL(new RegExp(`/emails/${emailId}$`))

  const today = new Date().toISOString().slice(0, 10)
  await page.goto(`/projects/${own.projectId}/logs?until=2020-01-01`)
  await expect(page.getByText("No request matches")).toBeVisible()
  await page.goto(`/projects/${own.projectId}/logs?since=${today}`)
  await expect(requests.getByRole("row").nth(2)).toContainText(/\d ms/)
  await expect(requests.getByRole("row").nth(2)).toContainText("bootstrap")
  expect(faults).toEqual([])
})

test("the palette finds a request by its id, and topics, segments, templates and keys by their names", async ({
  page,
  context,
}) => {
  const { faults } = watch(page)
  await becomeOwner(context, own)
  const asked = await ask("GET", `/v1/projects/${own.projectId}`)
  const requestId = asked.headers.get("x-request-id") ?? ""
  await page.goto(`/projects/${own.projectId}`)
  const box = page.getByRole("combobox", { name: "Go to, create or find" })
  const results = page.getByRole("listbox", { name: "Results" })
  const open = () =>
    expect(async () => {
      await page.keyboard.press("Control+k")
      await expect(box).toBeVisible({ timeout: 2_000 })
    }).toPass()
  await open()
  await expectAccessible(page)
  for (const [text, group, name] of [
    ["new", "Topics", "News"],
    ["named", "Segments", "Named Ada"],
    ["welc", "Templates", "welcome"],
    ["bootst", "API keys", "bootstrap"],
    ["complain", "Webhooks", "Complaints"],
    ["logs-", "Domains", "Verified"],
  ] as const) {
    await box.fill(text)
    await expect(results.getByRole("group", { name: group }).getByRole("option").first()).toContainText(name)
  }
  await box.fill(requestId)
  await expect(async () => {
    await box.fill("")
    await box.fill(requestId)
    await expect(results.getByRole("option").first()).toContainText("GET /v1/projects/{projectId}", { timeout: 2_000 })
  }).toPass()
  await page.keyboard.press("Enter")
  await expect(page).toHaveURL(new RegExp(`/logs/${requestId}$`))
  expect(faults).toEqual([])
})

test("during a rotation the page of either key says who still uses the old one, and ends it", async ({
  page,
  context,
}) => {
  const { faults } = watch(page)
  await becomeOwner(context, own)
  const old = await openKey(page, keyId())
  await expect(old).toBeVisible()
  const next = await page.evaluate(async (path) => {
    const response = await fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ overlapHours: 24 }),
    })
    return (await response.json()) as { id: string; apiKey: string }
  }, `/v1/projects/${own.projectId}/api-keys/${keyId()}/rotate`)
  await ask("GET", `/v1/projects/${own.projectId}`)
  const rotation = region(page, "Rotation")
  await expect(async () => {
    await page.goto(`/projects/${own.projectId}/api-keys/${next.id}`)
    await expect(rotation).toContainText(/The old key still made [\d,]+ of today’s [\d,]+ requests, all from /, {
      timeout: 5_000,
    })
  }).toPass()
  await expect(rotation).toContainText(/It stops working in 2[34] hours/)
  await expect(region(page, "Requests over time")).toContainText("Old key")
  await expectAccessible(page)
  await rotation.getByRole("link", { name: "Old" }).click()
  await expect(page).toHaveURL(new RegExp(keyId()))
  await expect(rotation).toContainText("The old key still made")
  await rotation.getByRole("button", { name: "End old key now" }).click()
  await page.getByRole("alertdialog").getByRole("button", { name: "End old key" }).click()
  await expect(rotation).toHaveCount(0)
  await expect(page.getByText("Revoked", { exact: true }).first()).toBeVisible()
  await expect.poll(async () => (await ask("GET", `/v1/projects/${own.projectId}`)).status).toBe(401)
  expect(faults).toEqual([])
})
