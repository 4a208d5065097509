import { expect, test } from "@playwright/test"
import { expectAccessible, watch } from "@/e2e/support/browser"
import { admin } from "@/e2e/support/product"
import { createSampleOrganization } from "@/e2e/support/sample-organization"
import { becomeOwner } from "@/e2e/support/signed-in"

test("the operator adds an address with a warm-up, pauses, moves and removes it, and sets the pool of a project", async ({
  page,
  context,
}) => {
  const { faults } = watch(page)
  const own = await createSampleOrganization("addresses")
  await becomeOwner(context, own)
  await admin(process.env.E2E_DATA_DIR ?? "", "operator", "--email", own.email)
  const card = page.getByRole("region", { name: "Addresses", exact: true })
  await expect(async () => {
    await page.goto(`/projects/${own.projectId}/settings/addresses`)
    await expect(card).toBeVisible({ timeout: 2_000 })
  }).toPass()
  await card.getByRole("button", { name: "Add address" }).click()
  const dialog = page.getByRole("dialog")
  await dialog.getByLabel("Address", { exact: true }).fill("203.0.113")
  await dialog.getByLabel("EHLO name").fill("out1.mail.example")
  await dialog.getByRole("button", { name: "Add address" }).click()
  await expect(dialog.getByText("Must be an IPv4 or IPv6 address.")).toBeVisible()
  await dialog.getByLabel("Address", { exact: true }).fill("203.0.113.5")
  await dialog.getByRole("button", { name: "Add address" }).click()
  const row = card.getByRole("row", { name: /203\.0\.113\.5/ })
  await expect(row).toContainText(/0 of 200\s*Day 1 of 12/)
  await expectAccessible(page)

  const choose = async (action: string) => {
    await row.getByRole("button", { name: "Actions for 203.0.113.5" }).click()
    await page.getByRole("menuitem", { name: action }).click()
  }
  await choose("Pause")
  await page.getByRole("alertdialog").getByRole("button", { name: "Pause address" }).click()
  await expect(row).toContainText("Paused")
  await choose("Move to pool")
  await dialog.getByLabel("Pool").fill("news")
  await dialog.getByRole("button", { name: "Move" }).click()
  await expect(row).toContainText("news")
  await choose("End warm-up")
  await page.getByRole("alertdialog").getByRole("button", { name: "End warm-up" }).click()
  await expect(row).not.toContainText("Day 1 of 12")

  const pools = page.getByRole("region", { name: "Pools of projects" })
  await pools.getByRole("button", { name: "Set pool" }).click()
  await dialog.getByLabel("Project").fill(own.projectId)
  await dialog.getByLabel("Pool").fill("news")
  await dialog.getByRole("button", { name: "Set pool" }).click()
  await expect(pools.getByRole("row", { name: new RegExp(own.projectId) })).toContainText("news")
  await expectAccessible(page)

  await choose("Remove")
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove address" }).click()
  await expect(row).toHaveCount(0)
  expect(faults).toEqual([])
})
