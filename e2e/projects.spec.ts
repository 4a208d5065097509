import { expect, test, type Page } from "@playwright/test"
import { expectAccessible, press, tabTo, type, watch } from "@/e2e/support/browser"
import { admin } from "@/e2e/support/product"
import { signIn } from "@/e2e/support/sample-organization"
import { becomeOwner, productDatabase } from "@/e2e/support/signed-in"
import { decodeId } from "@/lib/platform/ids"

const password = "correct horse battery staple"

test("an owner creates a project, suspends it with a reason, resumes it, deletes it and restores it, by keyboard alone", async ({
  page,
  context,
  baseURL,
}) => {
  const { faults } = watch(page)
  const own = await newOwner(baseURL ?? "", "Lifecycle")
  await becomeOwner(context, own)

  await test.step("the switcher makes a project, whose home region is said to be permanent", async () => {
    await page.goto(`/projects/${own.projectId}`)
    await openSwitcher(page)
    await page.keyboard.press("End")
    await expect(page.getByRole("menuitem", { name: "New project" })).toBeFocused()
    await page.keyboard.press("Enter")
    const dialog = page.getByRole("dialog", { name: "New project" })
    await expect(dialog.getByText("This is permanent.")).toBeVisible()
    await type(page, dialog.getByLabel("Name"), "Parcel post")
    await expect(dialog.getByLabel("Slug")).toHaveValue("parcel-post")
    await tabTo(page, dialog.getByLabel("Home region"))
    await page.keyboard.type("US East")
    await press(page, dialog.getByRole("button", { name: "Create project" }))
    await expect(page.getByRole("button", { name: /^Project Parcel post of Lifecycle/ }).first()).toBeVisible()
    expect(page.url()).not.toContain(own.projectId)
  })

  const project = /\/projects\/([^/?]+)/.exec(page.url())?.[1] ?? ""

  await test.step("its guide leads to the form of an own domain, which stays when another person's domain comes", async () => {
    await press(page, page.getByRole("link", { name: "Use your own domain" }))
    const field = page.getByRole("dialog", { name: "Add domain" }).getByLabel("Domain")
    await field.fill("parcels.exam")
    await page.evaluate(async (path) => {
      const body = JSON.stringify({ domain: "by-another.example", region: "us-east-1" })
      await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body })
    }, `/v1/projects/${project}/domains`)
    // Who comes back to the window reads the list again, once it is older than ten seconds.
    await expect(async () => {
      await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })))
      await expect(page.locator("main").getByText("by-another.example").first()).toBeAttached({ timeout: 1_000 })
    }).toPass()
    await expect(field, "the list is no longer empty").toHaveValue("parcels.exam")
  })

  await test.step("suspended, every page says so and why, and so does the switcher", async () => {
    await page.goto(`/projects/${project}/settings`)
    await press(page, page.getByRole("button", { name: "Suspend project" }))
    const dialog = page.getByRole("alertdialog", { name: "Suspend Parcel post?" })
    await expectAccessible(page)
    await type(page, dialog.getByLabel("Reason"), "A key has leaked")
    await press(page, dialog.getByRole("button", { name: "Suspend project" }))
    const banner = page.getByRole("region", { name: "Project suspended" })
    await expect(banner).toContainText("Reason: A key has leaked")
    await expect(page.getByRole("heading", { name: "Resume project" })).toBeVisible()
    await expectAccessible(page)
    for (const path of ["", "/emails", "/contacts"]) {
      await page.goto(`/projects/${project}${path}`)
      await expect(banner).toBeVisible()
    }
    await openSwitcher(page)
    await expect(page.getByRole("menuitem", { name: "Parcel post suspended" })).toBeVisible()
    await page.keyboard.press("Escape")
    await press(page, banner.getByRole("link", { name: "Open settings" }))
    await press(page, page.getByRole("button", { name: "Resume project" }))
    await expect(banner).toBeHidden()
  })

  await test.step("deleting counts what goes and asks for the name", async () => {
    await page.goto(`/projects/${project}/settings`)
    await press(page, page.getByRole("button", { name: "Delete project" }))
    const dialog = page.getByRole("alertdialog", { name: "Delete Parcel post?" })
    for (const kind of ["Emails", "Contacts", "Domains", "API keys"])
      await expect(dialog.getByText(kind, { exact: true }).locator("xpath=..")).toContainText(/\d/)
    await expectAccessible(page)
    const confirm = dialog.getByRole("button", { name: "Delete project" })
    await expect(confirm).toBeDisabled()
    await type(page, dialog.getByRole("textbox"), "Parcel")
    await expect(confirm).toBeDisabled()
    await type(page, dialog.getByRole("textbox"), "Parcel post")
    await page.keyboard.press("Enter")
    await expect(page.getByRole("heading", { level: 1, name: "Parcel post is deleted" })).toBeVisible()
  })

  await test.step("all its pages are one page in the shell, which restores it", async () => {
    for (const path of ["/emails", "/settings", ""]) {
      await page.goto(`/projects/${project}${path}`)
      await expect(page.getByRole("heading", { level: 1, name: "Parcel post is deleted" })).toBeVisible()
    }
    await expect(page.getByText(/It will be removed for good on \d/)).toBeVisible()
    await expectAccessible(page)
    await openSwitcher(page)
    await expect(page.getByRole("menuitem", { name: "Parcel post deleted" })).toBeVisible()
    await page.keyboard.press("Escape")
    await press(page, page.getByRole("button", { name: "Restore project" }))
    await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible()
  })
  expect(faults).toEqual([])
})

test("the guide goes on by itself without taking the focus from somebody who is elsewhere", async ({
  page,
  context,
  baseURL,
}) => {
  const own = await newOwner(baseURL ?? "", "Elsewhere")
  await becomeOwner(context, own)
  await page.goto(`/projects/${own.projectId}`)
  const domain = (await page.getByRole("button", { name: /^Use .*\./ }).textContent())?.replace("Use ", "")
  await openSwitcher(page)
  const status = await page.evaluate(
    async ([path, name]) => {
      const body = JSON.stringify({ domain: name, region: "eu-west-1" })
      return (await fetch(path ?? "", { method: "POST", headers: { "content-type": "application/json" }, body })).status
    },
    [`/v1/projects/${own.projectId}/domains`, domain],
  )
  expect(status).toBe(201)
  // It has a key already.
  await expect(page.getByRole("button", { name: "Send", exact: true })).toBeVisible({ timeout: 30_000 })
  await expect(page.getByRole("menu").first()).toBeVisible()
})

test("whoever deletes their last project is offered a new one and the way back", async ({ page, context, baseURL }) => {
  const { faults } = watch(page)
  const own = await newOwner(baseURL ?? "", "Last one")
  await becomeOwner(context, own)
  await page.goto(`/projects/${own.projectId}`)
  const status = await page.evaluate(
    async (id) => (await fetch(`/v1/projects/${id}?name=Last+one`, { method: "DELETE" })).status,
    own.projectId,
  )
  expect(status).toBe(200)
  await page.goto("/")
  await expect(page.getByRole("heading", { level: 1, name: "You have no projects" })).toBeVisible()
  await expect(page.getByRole("button", { name: "New project" })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole("link", { name: "Restore Last one" }).click()
  await page.getByRole("button", { name: "Restore project" }).click()
  await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible()
  expect(faults).toEqual([])
})

test("the limits show what is used, and when the day's sends run out in the reader's time", async ({
  page,
  context,
  baseURL,
}) => {
  const { faults } = watch(page)
  const own = await newOwner(baseURL ?? "", "Busy")
  await becomeOwner(context, own)
  const database = await productDatabase()
  const settings = `/projects/${own.projectId}/settings`
  const use = (used: number, earlier: number) =>
    database.query(
      `WITH org AS (SELECT organization_id AS id FROM projects WHERE id = $1), day AS (
          INSERT INTO quota_days (organization_id, day, used) SELECT id, (now() AT TIME ZONE 'UTC')::date, $2 FROM org
            ON CONFLICT (organization_id, day) DO UPDATE SET used = $2)
        INSERT INTO quota_marks (organization_id, at, used)
          SELECT id, date_trunc('minute', now()) - interval '50 minutes', $3 FROM org
          ON CONFLICT (organization_id, at) DO UPDATE SET used = $3`,
      [decodeId("proj", own.projectId), used, earlier],
    )
  try {
    // Within the first hour of a UTC day there is no pace of the last hour yet.
    const early = new Date().getUTCHours() === 0
    await use(49_000, early ? 49_000 : 10_000)
    await page.goto(settings)
    const sends = page.getByRole("progressbar", { name: "Sends today in use" })
    await expect(sends).toHaveAttribute("aria-valuenow", "49000")
    if (!early) await expect(page.getByText(/^Runs out at \d\d:\d\d, at [\d,]+ an hour\.$/)).toBeVisible()
    for (const name of ["Burst", "Domains", "API keys", "Webhooks"])
      await expect(page.getByRole("progressbar", { name: `${name} in use` })).toBeVisible()
    await expectAccessible(page)
    await page.goto(`/projects/${own.projectId}`)
    await expect(page.getByText(/Today's quota runs out at \d\d:\d\d|98% of today's quota is used/)).toBeVisible()
    await expectAccessible(page)
    await page.getByRole("link", { name: "Open limits" }).click()
    await expect(page).toHaveURL(/settings#limits$/)
    await use(50_000, 50_000)
    await expect(page.getByText(/^Sending is refused until \d\d:\d\d\.$/)).toBeVisible({ timeout: 25_000 })
    await expectAccessible(page)
  } finally {
    await database.end()
  }
  expect(faults).toEqual([])
})

async function newOwner(baseUrl: string, name: string) {
  const email = `${name.toLowerCase().replace(" ", "-")}-${Date.now()}@example.com`
  const made = await admin(
    process.env.E2E_DATA_DIR ?? "",
    ...["bootstrap", "--email", email, "--password", password, "--organization", name],
    ...["--project", name, "--region", "eu-west-1"],
  )
  const cookie = await signIn(baseUrl, "password", { email, password })
  return { baseUrl, email, password, projectId: String(made.projectId), apiKey: String(made.apiKey), cookie, ids: {} }
}

/** By keyboard; a press before the page is awake opens nothing. */
async function openSwitcher(page: Page) {
  await expect(async () => {
    await tabTo(page, page.getByRole("button", { name: /Switch project/ }).first())
    await page.keyboard.press("Enter")
    await expect(page.getByRole("menu").first()).toBeVisible({ timeout: 1_000 })
  }).toPass()
}
