import { expect, test } from "@playwright/test"
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
