import { expect, test } from "@playwright/test"
import { expectAccessible, watch } from "@/e2e/support/browser"
import { createSampleOrganization, type SampleOrganization } from "@/e2e/support/sample-organization"
import { becomeOwner } from "@/e2e/support/signed-in"

let own: SampleOrganization

test.beforeAll(async ({ browserName: _browser }, info) => {
  own = await createSampleOrganization(`logs-${info.workerIndex}`)
})

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
  await expect(async () => {
    await page.goto(`/projects/${own.projectId}/logs`)
    await expect(requests.getByRole("row").filter({ hasText: "404" })).toHaveCount(1, { timeout: 1_000 })
  }).toPass()
  await expect(requests.getByRole("row").filter({ hasText: "POST /v1/emails" }).first()).toContainText("201")
  await page.getByLabel("Status").selectOption("4xx")
  await expect(page).toHaveURL(/status=4xx/)
  await expect(requests.getByRole("row")).toHaveCount(2)
  await expect(requests).toContainText("DELETE /v1/projects/{projectId}/domains/{domainId}")
  await page.getByLabel("Route, or a part of it").fill("/emails")
  await expect(page.getByText("No request matches")).toBeVisible()
  await page.goBack()
  await expect(requests.getByRole("row")).toHaveCount(2)
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
  await expect(entries).toContainText("api_key.created")
  await expect(entries).toContainText("The operator")
  await page.getByLabel("Area").selectOption("api_key")
  await expect(page).toHaveURL(/action=api_key/)
  await expect(entries.getByRole("listitem").first()).toContainText("api_key.")
  await expect(entries).not.toContainText("installation.bootstrapped")
  await page.getByLabel("Id or address that was changed").fill("nobody@example.com")
  await expect(page.getByText("No entry matches")).toBeVisible()
  await page.getByRole("button", { name: "Clear" }).click()
  await expectAccessible(page)
  expect(faults).toEqual([])
})

test("the page of a key shows its requests by day, its permissions, and exports them", async ({ page, context }) => {
  const { faults } = watch(page)
  await becomeOwner(context, own)
  const chart = page.getByRole("slider", { name: /Requests by day/ })
  await expect(async () => {
    await page.goto(`/projects/${own.projectId}/api-keys/${own.ids.keyId}`)
    await expect(chart).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await chart.focus()
  await page.keyboard.press("ArrowLeft")
  await expect(page.getByRole("region", { name: "Requests by day" })).toContainText(/: \d+ requests, \d+ refused/)
  const permissions = page.getByRole("region", { name: "Permissions" })
  await expect(permissions.getByRole("listitem").filter({ hasText: "emails:send" })).not.toContainText("Not used")
  const download = page.waitForEvent("download")
  await page.getByRole("link", { name: "Export CSV" }).click()
  expect((await download).suggestedFilename()).toBe(`usage-${own.ids.keyId}.csv`)
  await expectAccessible(page)
  expect(faults).toEqual([])
})
