import { expect, test, type Page } from "@playwright/test"
import { coldLoad, mostBytes } from "@/e2e/support/cold-load"
import { expectAccessible, watch } from "@/e2e/support/browser"
import { guideNames } from "@/lib/docs/guides"

/** Addresses outside the product's own origin that the page asks for. */
function foreignRequests(page: Page, baseURL: string | undefined): string[] {
  const foreign: string[] = []
  page.on("request", (request) => {
    const url = request.url()
    if (!url.startsWith(`${baseURL}/`) && !/^(data|blob):/.test(url)) foreign.push(url)
  })
  return foreign
}

test("the guides are accessible in light and dark and at every width, and ask nothing of another origin", async ({
  page,
  baseURL,
}) => {
  const { faults } = watch(page)
  const foreign = foreignRequests(page, baseURL)
  // The longest code, and the tables; the others have the same parts.
  for (const path of ["/docs", "/docs/webhooks", "/docs/errors"]) {
    await page.goto(path)
    await expectAccessible(page)
  }
  for (const name of guideNames) {
    await page.goto(`/docs/${name}`)
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible()
  }
  expect(foreign).toEqual([])
  expect(faults).toEqual([])
})

for (const colorScheme of ["light", "dark"] as const) {
  test(`the reference shows an operation with its examples in ${colorScheme}, and asks nothing of another origin`, async ({
    page,
    baseURL,
  }) => {
    await page.emulateMedia({ colorScheme })
    const { faults } = watch(page)
    const foreign = foreignRequests(page, baseURL)
    await page.goto("/docs/reference")
    await expect(page.getByRole("heading", { name: "Send an email", exact: true }).first()).toBeVisible({
      timeout: 60_000,
    })
    await expect(page.locator("body")).toHaveClass(new RegExp(`${colorScheme}-mode`))
    await expect(page.getByText("Bearer $KEY").first()).toBeAttached({ timeout: 15_000 })
    await page.mouse.wheel(0, 4_000)
    await page.waitForLoadState("networkidle")
    expect(foreign).toEqual([])
    expect(faults).toEqual([])
  })
}

test("the search finds a section and an operation by keyboard alone", async ({ page }) => {
  await page.goto("/docs")
  const field = page.getByRole("combobox", { name: "Search the docs" })
  await field.focus()
  await page.keyboard.type("verify signature")
  const results = page.getByRole("listbox", { name: "Results" })
  await expect(results.getByRole("option").first()).toContainText("Verify the signature")
  await page.keyboard.press("Enter")
  await expect(page).toHaveURL(/\/docs\/webhooks#verify-the-signature$/)
  await field.focus()
  await page.keyboard.type("create webhook")
  await page.keyboard.press("ArrowDown")
  await page.keyboard.press("ArrowUp")
  await expect(results.getByRole("option", { selected: true })).toHaveCount(1)
  await expectAccessible(page)
  await page.keyboard.press("Escape")
  await expect(results).toBeHidden()
  await field.fill("nothing of this kind")
  await expect(page.getByRole("status")).toHaveText("Nothing found.")
})

test("on a phone the guides are a list that opens, and no page scrolls sideways", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto("/docs/webhooks")
  await page.getByText("Webhooks", { exact: true }).first().click()
  await page.getByRole("navigation", { name: "Guides" }).getByRole("link", { name: "Limits" }).click()
  await expect(page.getByRole("heading", { level: 1, name: "Limits" })).toBeVisible()
  for (const path of ["/docs", "/docs/limits", "/docs/webhooks", "/docs/errors"]) {
    await page.goto(path)
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect([path, width]).toEqual([path, 390])
  }
})

test("the shell of the reference is small: its reader is loaded after it", async ({ browser, baseURL }) => {
  const { files } = await coldLoad(browser, `${baseURL}/docs/reference`, "", "/vendor/")
  const reader = files.filter(([name]) => name.startsWith("/vendor/"))
  const shell = files.filter(([name]) => !name.startsWith("/vendor/"))
  expect(reader).toHaveLength(1)
  expect(shell.reduce((sum, [, bytes]) => sum + bytes, 0)).toBeLessThan(mostBytes)
})

test("problem pages and the dashboard's address lead to the docs, and an unknown guide or problem is not found below their header", async ({
  page,
}) => {
  await page.goto("/problems/request.invalid")
  await expect(page.getByRole("banner").getByRole("link", { name: "Guides" })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole("link", { name: "How errors work" }).click()
  await expect(page.getByRole("heading", { level: 1, name: "Errors" })).toBeVisible()
  for (const [address, title, list] of [
    ["/docs/nothing", "Guide not found", "All guides"],
    ["/problems/nothing.there", "Problem not found", "All problems"],
  ] as const) {
    expect((await page.goto(address))?.status()).toBe(404)
    await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible()
    await expect(page.getByRole("banner").getByRole("link", { name: "Guides" })).toBeVisible()
    await expect(page.getByRole("link", { name: list })).toBeVisible()
    await expectAccessible(page)
  }
})
