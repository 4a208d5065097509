import { readFileSync } from "node:fs"
import { expect, test } from "@playwright/test"
import { expectAccessible, watch } from "./support/browser"
import { furnish } from "./support/furnished"
import { becomeOwner, sendEmail } from "./support/signed-in"

test("the log filters in its address, Back undoes a filter, the export holds the same, new emails appear, and rows open", async ({ page, context }) => {
  test.setTimeout(120_000)
  const { faults } = watch(page)
  const own = await furnish("log")
  await becomeOwner(context, own)
  const from = "Shop <shop@log.test>"
  await sendEmail(own, { from, subject: "Order 8841", tags: { kind: "order" }, to: ["grace@hopper.example"] })
  await sendEmail(own, { from, subject: "Order 8842", tags: { kind: "order" }, scheduledAt: new Date(Date.now() + 3_600_000).toISOString() })
  const rows = page.getByRole("table", { name: "Emails" }).locator("tbody tr")
  const filters = page.getByRole("search", { name: "Emails" })

  await page.goto(`/projects/${own.projectId}/emails`)
  await expect(rows).toHaveCount(3)
  await expectAccessible(page)

  await test.step("each filter stands in the address, and narrows what the others leave", async () => {
    await filters.getByRole("button", { name: "More" }).click()
    await filters.getByRole("searchbox", { name: /^Tag/ }).pressSequentially("kind:order", { delay: 40 })
    await expect(rows).toHaveCount(2)
    await expect(page).toHaveURL(/tag=kind:order/)
    await filters.getByRole("combobox", { name: "Domain" }).selectOption({ label: "log.test" })
    await expect(page).toHaveURL(/domain=dom_/)
    await expect(rows).toHaveCount(2)
    await filters.getByRole("combobox", { name: "Status" }).selectOption("Scheduled")
    await expect(rows).toHaveCount(1)
    await expect(rows.first()).toContainText("Order 8842")
    await expectAccessible(page)
  })

  await test.step("the export holds what the filters leave", async () => {
    const download = page.waitForEvent("download")
    await page.getByRole("link", { name: "Export these emails as CSV" }).click()
    const lines = readFileSync(await (await download).path(), "utf8").trimEnd().split("\r\n")
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain("Order 8842")
  })

  await test.step("Back takes one filter at a time, what was typed in one go as one", async () => {
    await page.goBack()
    await expect(rows).toHaveCount(2)
    await expect(filters.getByRole("combobox", { name: "Status" })).toHaveValue("")
    await page.goBack()
    await expect(page).not.toHaveURL(/domain=/)
    await page.goBack()
    await expect(page).toHaveURL(/\/emails$/)
    await expect(rows).toHaveCount(3)
    await page.goForward()
    await expect(filters.getByRole("searchbox", { name: /^Tag/ })).toHaveValue("kind:order")
    await filters.getByRole("button", { name: "Clear" }).click()
    await expect(page).toHaveURL(/\/emails$/)
  })

  await test.step("days hold from the first to the last, itself included", async () => {
    const today = new Date().toISOString().slice(0, 10)
    await filters.getByLabel("From, day in UTC").fill(today)
    await filters.getByLabel("Until, day in UTC").fill(today)
    await expect(page).toHaveURL(new RegExp(`since=${today}&until=${today}`))
    await expect(rows).toHaveCount(3)
    await page.goto(`/projects/${own.projectId}/emails?until=2020-01-01`)
    await expect(page.getByText("No email matches")).toBeVisible()
    await page.getByRole("button", { name: "Clear filters" }).click()
    await expect(rows).toHaveCount(3)
  })

  await test.step("a new email appears by itself, and its row opens with Enter", async () => {
    await sendEmail(own, { from, subject: "Order 8843" })
    const row = rows.filter({ hasText: "Order 8843" })
    await expect(row).toBeVisible({ timeout: 15_000 })
    await row.focus()
    await page.keyboard.press("Enter")
    await expect(page.getByRole("heading", { level: 1 })).toContainText("Order 8843")
  })
  expect(faults).toEqual([])
})
