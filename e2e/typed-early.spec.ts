import { expect, test, type Page } from "@playwright/test"
import { createSampleOrganization, type SampleOrganization } from "@/e2e/support/sample-organization"
import { becomeOwner } from "@/e2e/support/signed-in"

let own: SampleOrganization

test.beforeAll(async ({ browserName: _browser }, info) => {
  own = await createSampleOrganization(`early-${info.workerIndex}`)
})

/** Opens a page whose scripts come when the returned function is called. */
async function openWithoutScripts(page: Page, path: string): Promise<() => void> {
  let release = () => undefined as void
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route(/\/_next\/static\/.*\.js/, async (route) => {
    await released
    await route.continue()
  })
  await page.goto(path, { waitUntil: "commit" })
  return release
}

test("what is typed into a search before the page runs is searched for", async ({ page, context }) => {
  await becomeOwner(context, own)
  for (const path of ["contacts", "emails", "suppressions", "logs/audit"]) {
    const release = await openWithoutScripts(page, `/projects/${own.projectId}/${path}`)
    const field = page.locator("main").getByRole("searchbox").first()
    await field.fill("nobody-by-this-name")
    release()
    await expect(page, path).toHaveURL(/nobody-by-this-name/)
    await expect(field).toHaveValue("nobody-by-this-name")
    await page.unrouteAll({ behavior: "wait" })
  }
})

test("what is typed after Ctrl K while the palette's code loads is searched for, and is no key of the page", async ({
  page,
  context,
}) => {
  await becomeOwner(context, own)
  let release = () => undefined as void
  const released = new Promise<void>((resolve) => (release = resolve))
  const asked = new Promise<void>((resolve) => {
    void page.route(/\/_next\/static\/.*\.js/, async (route) => {
      const response = await route.fetch()
      if ((await response.text()).includes("Page, action, name, subject, ID or address")) {
        resolve()
        await released
      }
      await route.fulfill({ response })
    })
  })
  await page.goto(`/projects/${own.projectId}/contacts`)
  await expect(async () => {
    await page.keyboard.press("Control+k")
    await Promise.race([asked, page.waitForTimeout(2_000).then(() => Promise.reject(new Error("not asked for")))])
  }).toPass()
  // On the page these would lead to Domains.
  await page.keyboard.type("gd wxyz")
  release()
  await expect(page.getByRole("combobox", { name: "Go to, create or find" })).toHaveValue("gd wxyz")
  await page.keyboard.type("!")
  await expect(page.getByRole("combobox", { name: "Go to, create or find" })).toHaveValue("gd wxyz!")
  await expect(page).toHaveURL(/\/contacts$/)
  await page.unrouteAll({ behavior: "wait" })
})

test("what is typed into a form before the page runs is kept", async ({ page }) => {
  const release = await openWithoutScripts(page, "/sign-in")
  await page.getByLabel("Email").first().fill("ada@lovelace.example")
  release()
  // A press before the page runs would post the form as a browser does by itself.
  await page.waitForLoadState("networkidle")
  await page.getByLabel("Password", { exact: true }).fill("a wrong password")
  await page.getByRole("button", { name: "Sign in", exact: true }).click()
  await expect(page.getByText("Incorrect email or password")).toBeVisible()
  await expect(page.getByLabel("Email").first()).toHaveValue("ada@lovelace.example")
  await page.unrouteAll({ behavior: "wait" })
})

test("Enter before the page runs sends nothing, and what was typed is kept", async ({ page }) => {
  const release = await openWithoutScripts(page, "/sign-in")
  const sent: string[] = []
  page.on("request", (request) => {
    if (request.method() === "POST") sent.push(request.url())
  })
  await page.getByLabel("Email").first().fill("ada@lovelace.example")
  const password = page.getByLabel("Password", { exact: true })
  await password.fill("a wrong password")
  await password.press("Enter")
  release()
  const button = page.getByRole("button", { name: "Sign in", exact: true })
  await expect(button).toBeEnabled()
  expect(sent).toEqual([])
  await expect(password).toHaveValue("a wrong password")
  await button.click()
  await expect(page.getByText("Incorrect email or password")).toBeVisible()
  await page.unrouteAll({ behavior: "wait" })
})

test("a sign-in that could not be tried keeps the password, and one that is refused asks for it again", async ({
  page,
  context,
}) => {
  await page.goto("/sign-in")
  await page.waitForLoadState("networkidle")
  const password = page.getByLabel("Password", { exact: true })
  await page.getByLabel("Email").first().fill("ada@lovelace.example")
  await password.fill("a wrong password")
  await context.setOffline(true)
  await page.getByRole("button", { name: "Sign in", exact: true }).click()
  await expect(page.getByText("The service is unreachable")).toBeVisible()
  await expect(password).toHaveValue("a wrong password")
  await context.setOffline(false)
  await page.getByRole("button", { name: "Sign in", exact: true }).click()
  await expect(page.getByText("Incorrect email or password")).toBeVisible()
  await expect(password).toHaveValue("")
})
