import { readFileSync } from "node:fs"
import { expect, test, type Page } from "@playwright/test"
import { expectAccessible, watch } from "@/e2e/support/browser"
import { createSampleOrganization } from "@/e2e/support/sample-organization"
import { allPages } from "@/e2e/support/pages"
import { becomeOwner, productDatabase, sendEmail } from "@/e2e/support/signed-in"

test("the log filters in its address, Back undoes a filter, the export holds the same, new emails appear, and rows open", async ({
  page,
  context,
}) => {
  const { faults } = watch(page)
  const own = await createSampleOrganization("log")
  await becomeOwner(context, own)
  const from = "Shop <shop@log.test>"
  await sendEmail(own, { from, subject: "Order 8841", tags: { kind: "order" }, to: ["grace@hopper.example"] })
  await sendEmail(own, {
    from,
    subject: "Order 8842",
    tags: { kind: "order" },
    scheduledAt: new Date(Date.now() + 3_600_000).toISOString(),
  })
  const rows = page.getByRole("table", { name: "Emails" }).locator("tr[data-email]")
  const filters = page.getByRole("search", { name: "Emails" })
  const status = (name: string) => page.getByRole("group", { name: "Status" }).getByRole("button", { name })

  await page.goto(`/projects/${own.projectId}/emails`)
  await expect(rows).toHaveCount(3)
  await expectAccessible(page)

  await test.step("each filter is in the URL, and they narrow the list together", async () => {
    await filters.getByRole("button", { name: "Filter" }).click()
    await filters.getByRole("searchbox", { name: /^Tag/ }).pressSequentially("kind:order", { delay: 40 })
    await expect(rows).toHaveCount(2)
    await expect(page).toHaveURL(/tag=kind:order/)
    await filters.getByRole("combobox", { name: "Domain" }).selectOption({ label: "log.test" })
    await expect(page).toHaveURL(/domain=dom_/)
    await expect(rows).toHaveCount(2)
    await status("Scheduled 1").click()
    await expect(rows).toHaveCount(1)
    await expect(rows.first()).toContainText("Order 8842")
    await expectAccessible(page)
  })

  await test.step("the export holds what the filters leave", async () => {
    const download = page.waitForEvent("download")
    await page.getByRole("link", { name: "Export" }).click()
    const lines = readFileSync(await (await download).path(), "utf8")
      .trimEnd()
      .split("\r\n")
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain("Order 8842")
  })

  await test.step("Back takes one filter at a time, what was typed in one go as one", async () => {
    await page.goBack()
    await expect(rows).toHaveCount(2)
    await expect(status("All 2")).toHaveAttribute("aria-pressed", "true")
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
    await expect(row).toBeVisible()
    await row.focus()
    await page.keyboard.press("Enter")
    await expect(page.getByRole("heading", { level: 1 })).toContainText("Order 8843")
  })
  expect(faults).toEqual([])
})

/** How the names of buttons and links begin that change something; a plain "Imports" goes to a list. */
const changing =
  "^(Add|Cancel email|Cancel import|Change|Compose|Create|Define|Delete|Edit|Import|Invite|New|Remove|Rename|Replace|Reschedule|Revoke|Rotate|Run|Save|Schedule|Send|Subscribe|Suppress|Unsubscribe|Upload|Verify now)\\b"

/** What of that the pages offer as the server renders them, which knows the role: a browser would take minutes for all. */
function offeredBy(page: Page, paths: string[]): Promise<string[]> {
  return page.evaluate(
    async ([all, words]) => {
      const offered: string[] = []
      for (const path of all) {
        let rendered
        // On a busy machine the server answers before all is read; what it read is there the next time.
        for (let left = 5; left > 0 && (!rendered || rendered.querySelector("[aria-label^=Loading]")); left--) {
          const answer = await fetch(path)
          if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
          rendered = new DOMParser().parseFromString(await answer.text(), "text/html")
        }
        for (const one of rendered?.querySelectorAll("button:not([disabled]), a[href]") ?? []) {
          const name = one.getAttribute("aria-label") ?? one.textContent?.trim() ?? ""
          if (new RegExp(words).test(name)) offered.push(`${path.replace(/\/(\w+)_[0-9a-z]{26}/g, "/$1")}: ${name}`)
        }
      }
      return offered
    },
    [paths, changing] as const,
  )
}

test("a viewer is offered nothing that would be refused, on any page", async ({ page, context }) => {
  const own = await createSampleOrganization("viewer")
  await sendEmail(own, {
    from: "hello@viewer.test",
    subject: "For later",
    scheduledAt: new Date(Date.now() + 3_600_000).toISOString(),
  })
  await becomeOwner(context, own)
  const root = `/projects/${own.projectId}`
  // Their account is a viewer's own to change; the operator's pages are not there for others.
  const paths = allPages(own.ids)
    .map(({ path }) => path)
    .filter(
      (path) =>
        path.startsWith(root) &&
        !path.includes("nothing") &&
        !/\/(?:account|mail|sending|addresses|destinations|notices)$/.test(path),
    )

  await page.goto(`${root}/emails/compose`)
  expect(await offeredBy(page, paths)).toEqual(
    expect.arrayContaining(
      [
        "/emails: Compose",
        "/topics: Create topic",
        "/webhooks: Create webhook",
        "/webhooks/whk: Send test event",
        "/domains/dom: Verify now",
        "/contacts/con: Delete contact",
      ].map((name) => `/projects/proj${name}`),
    ),
  )

  const database = await productDatabase()
  await database.query("UPDATE members SET role = 'viewer' WHERE user_id = (SELECT id FROM users WHERE email = $1)", [
    own.email,
  ])
  await database.end()
  // Each web process remembers a session for up to five seconds.
  await expect.poll(() => offeredBy(page, paths), { timeout: 120_000 }).toEqual([])
  for (const [path, sentence] of [
    ["emails/compose", "Your role cannot send email"],
    ["segments/new", "Your role cannot create segments"],
    ["webhooks/new", "Your role cannot create webhooks"],
    [`webhooks/${own.ids.webhookId}/edit`, "Your role cannot change webhooks"],
    ["contacts/imports/new", "Your role cannot import contacts"],
  ] as const) {
    await page.goto(`${root}/${path}`)
    await expect(page.getByText(sentence)).toBeVisible()
  }
  await expectAccessible(page)
})

test("on a phone the chosen status is in sight, though statuses are added before it, one of them unknown to the page", async ({
  page,
  context,
}) => {
  const own = await createSampleOrganization("chip")
  await becomeOwner(context, own)
  await page.setViewportSize({ width: 390, height: 844 })
  const all = [
    "queued",
    "scheduled",
    "sending",
    "sent",
    "delivered",
    "delivery_delayed",
    "bounced",
    "of a later version",
    "failed",
  ]
  await page.route(/\/emails\/counts/, async (route) => {
    const statuses = all.map((status) => ({ status, count: 12_345 }))
    await route.fulfill({ json: { total: 111_105, complete: true, statuses } })
  })
  await page.goto(`/projects/${own.projectId}/emails?status=failed`)
  const chips = page.getByRole("group", { name: "Status" })
  await expect(chips.getByRole("button", { name: "Delayed" })).toHaveCount(1)
  await expect(chips.getByRole("button", { name: "Failed" })).toBeInViewport({ ratio: 1 })
  await expect(chips.getByRole("button", { name: "All" })).not.toBeInViewport()
})
