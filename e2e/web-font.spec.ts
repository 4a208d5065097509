import { expect, test } from "@playwright/test"

for (const reducedMotion of ["no-preference", "reduce"] as const)
  test(`a page is shown in Inter once it is there, with reduced motion "${reducedMotion}"`, async ({ page }) => {
    await page.emulateMedia({ reducedMotion })
    await page.goto("/sign-in")
    const font = () => page.evaluate(() => getComputedStyle(document.body).fontFamily)
    await expect.poll(font).toMatch(/^"Inter Variable", "Inter Fallback"/)
    const loaded = () => page.evaluate(() => [...document.fonts].filter(({ status }) => status === "loaded").length)
    await expect.poll(loaded).toBeGreaterThan(0)
  })
