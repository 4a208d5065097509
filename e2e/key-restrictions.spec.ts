import { expect, test } from "@playwright/test"
import { expectAccessible, watch } from "@/e2e/support/browser"
import { createSampleOrganization, type SampleOrganization } from "@/e2e/support/sample-organization"
import { becomeOwner } from "@/e2e/support/signed-in"
import { expectWithin } from "@/e2e/support/within"

let own: SampleOrganization
test.beforeAll(async ({}, { workerIndex }) => {
  own = await createSampleOrganization(`restricted${workerIndex}`)
})
test.beforeEach(({ context }) => becomeOwner(context, own))

test("a key is made for one network and domain, refused from here, and works once its page allows this address", async ({
  page,
}) => {
  const { faults } = watch(page)
  const keys = `/projects/${own.projectId}/api-keys`
  await page.goto(keys)
  await page.getByRole("button", { name: "Create key" }).first().click()
  const dialog = page.getByRole("dialog", { name: "Create API key" })
  await dialog.getByLabel("Name").fill("Shop")
  await dialog.getByRole("radio", { name: "Everything" }).check()
  await expect(dialog.getByLabel("Client addresses")).toBeHidden()
  await dialog.getByText("Restrict this key").click()
  const addresses = dialog.getByLabel("Client addresses")
  await addresses.fill("203.0.113.7/24\n203.0.113.256")
  await expectAccessible(page)
  await dialog.getByRole("button", { name: "Create key" }).click()
  await expect(dialog.getByText("Must be an IPv4 or IPv6 address, or a network such as 203.0.113.0/24.")).toBeVisible()
  await addresses.fill("203.0.113.7/24\n2001:DB8::/32")
  await dialog.getByLabel("Sending domains").fill("elsewhere.test")
  await dialog.getByRole("button", { name: "Create key" }).click()
  await expect(dialog.getByText("elsewhere.test is not a domain of this project.")).toBeVisible()
  await expectAccessible(page)
  const domain = `${own.email.split("@")[0]}.test`
  await dialog.getByLabel("Sending domains").fill(domain)
  await dialog.getByRole("button", { name: "Create key" }).click()
  const secret = (await page.getByText(/^mr_live_[0-9A-Za-z]{38}$/).textContent()) ?? ""
  await page.getByRole("button", { name: "I have stored it" }).click()

  const ask = async () => {
    const headers = { authorization: `Bearer ${secret}` }
    return (await fetch(`${own.baseUrl}/v1/projects/${own.projectId}/domains`, { headers })).status
  }
  expect(await ask()).toBe(403)
  const row = page.getByRole("row").filter({ hasText: "Shop" })
  await expect(row).toContainText("restricted")
  await row.getByRole("link", { name: "Shop" }).click()
  const card = page.getByRole("region", { name: "Restrictions" })
  await expect(card.getByRole("listitem")).toHaveText(["203.0.113.0/24", "2001:db8::/32", domain])
  // The refused request.
  await expect(page.getByText("1 of 1")).toBeVisible()

  await card.getByRole("button", { name: "Change restrictions" }).click()
  const change = page.getByRole("dialog", { name: "Change restrictions" })
  await expect(change.getByLabel("Client addresses")).toHaveValue("203.0.113.0/24\n2001:db8::/32")
  await expectAccessible(page)
  await change.getByLabel("Client addresses").fill("127.0.0.0/8, ::1")
  await change.getByLabel("Sending domains").fill("")
  await change.getByRole("button", { name: "Save" }).click()
  await expect(card.getByRole("listitem")).toHaveText(["127.0.0.0/8", "::1"])
  await expect(card).toContainText("Every domain of the project")
  await expectWithin(2_000, ask, 200)
  await expectAccessible(page)
  expect(faults).toEqual([])
})
