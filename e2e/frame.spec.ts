import { expect, type Locator, test } from "@playwright/test"
import { expectAccessible, watch } from "@/e2e/support/browser"
import { createSampleOrganization, type SampleOrganization } from "@/e2e/support/sample-organization"
import { becomeOwner } from "@/e2e/support/signed-in"

let own: SampleOrganization

test.beforeAll(async ({ browserName: _browser }, info) => {
  own = await createSampleOrganization(`frame-${info.workerIndex}`)
})

test("a page about one object has its name in the title, beside the project's", async ({ page, context }) => {
  const { faults } = watch(page)
  await becomeOwner(context, own)
  const name = own.email.split("@")[0] ?? ""
  const { domainId, emailId, messageId, contactId, topicId, segmentId, webhookId } = own.ids
  const titles: [path: string, title: string][] = [
    ["", "Overview"],
    [`domains/${domainId}`, `${name}.test`],
    [`emails/${emailId}`, "Your receipt"],
    [`sandbox/${messageId}`, "Your receipt"],
    [`contacts/${contactId}`, "ada@lovelace.example"],
    [`topics/${topicId}`, "News"],
    [`segments/${segmentId}`, "Named Ada"],
    [`webhooks/${webhookId}`, "Complaints"],
  ]
  for (const [path, title] of titles) {
    await page.goto(`/projects/${own.projectId}/${path}`)
    await expect(page, path).toHaveTitle(`${title} · ${name} · Mailroom`)
  }
  expect(faults).toEqual([])
})

test("an address that no page has keeps the navigation of its project", async ({ page, context }) => {
  await becomeOwner(context, own)
  const response = await page.goto(`/projects/${own.projectId}/nowhere/at-all`)
  expect(response?.status()).toBe(404)
  await expect(page.getByRole("heading", { level: 1, name: "Not found" })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole("navigation").getByRole("link", { name: "Domains" }).click()
  await expect(page.getByRole("heading", { level: 1, name: "Domains" })).toBeVisible()
})

test("an empty list has the main button of its page inside it, once, and that does what the header's does", async ({
  page,
  context,
}) => {
  const { faults } = watch(page)
  await becomeOwner(context, own)
  const made = await context.request.post(`${own.baseUrl}/v1/projects`, {
    headers: { "sec-fetch-site": "same-origin" },
    data: { name: "Empty", slug: `empty-${Date.now()}`, region: "eu-west-1" },
  })
  const { id } = (await made.json()) as { id: string }
  const lists = [
    ["emails", "link", "Compose"],
    ["broadcasts", "link", "Compose"],
    ["templates", "button", "Create template"],
    ["domains", "button", "Add domain"],
    ["contacts", "button", "Add contact"],
    ["contacts/imports", "link", "Import a CSV file"],
    ["segments", "link", "Create segment"],
    ["topics", "button", "Create topic"],
    ["suppressions", "button", "Add address"],
    ["webhooks", "link", "Create webhook"],
    ["api-keys", "button", "Create key"],
    ["properties", "button", "Define property"],
  ] as const
  for (const [path, role, name] of lists) {
    await page.goto(`/projects/${id}/${path}`)
    // By role: what is not shown does not count.
    const action = page.getByRole("main").getByRole(role, { name, exact: true })
    await expect(action, path).toHaveCount(1)
    await expect(page.locator("section").getByRole(role, { name, exact: true }), path).toBeVisible()
  }

  await page.getByRole("button", { name: "Define property" }).click()
  await page.getByLabel("Key", { exact: true }).fill("plan")
  await page.getByRole("dialog").getByRole("button", { name: "Define property" }).click()
  await expect(page.getByRole("cell", { name: "plan", exact: true })).toBeVisible()
  await expect(
    page.getByRole("banner").or(page.locator("header")).getByRole("button", { name: "Define property" }),
  ).toBeVisible()
  expect(faults).toEqual([])
})

test("metrics fit a window of 320 px", async ({ page, context }) => {
  await becomeOwner(context, own)
  await page.setViewportSize({ width: 320, height: 700 })
  await page.goto(`/projects/${own.projectId}/metrics`)
  const right = async (part: Locator) => part.evaluate((element) => element.getBoundingClientRect().right)
  const card = await right(page.getByRole("region", { name: /email sent/ }))
  expect(await right(page.getByRole("radiogroup", { name: "Period" }))).toBeLessThanOrEqual(card)
})
