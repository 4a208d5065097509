import { expect, test, type Page } from "@playwright/test"
import { expectAccessible, watch } from "@/e2e/support/browser"
import { createSampleOrganization, type SampleOrganization } from "@/e2e/support/sample-organization"
import { becomeOwner, sendEmail } from "@/e2e/support/signed-in"

const rows = (page: Page) => page.getByRole("table", { name: "Emails" }).locator("tr[data-email]")
const bulk = (page: Page) => page.getByRole("region", { name: "Selected emails" })
const search = (page: Page) => page.getByRole("searchbox", { name: "Search emails" })
const panel = (page: Page) => page.getByRole("complementary", { name: "Email" })

const later = () => new Date(Date.now() + 3_600_000).toISOString()

async function sendSome(own: SampleOrganization, name: string, count: number, scheduledAt?: string) {
  for (let index = 0; index < count; index++) {
    await sendEmail(own, {
      from: `Shop <shop@${name}.test>`,
      to: [`Nora Novak <nora.novak${index}@inbox.example>`],
      subject: `Order ${8_800 + index}`,
      ...(scheduledAt ? { scheduledAt } : {}),
    })
  }
}

test("part of an address finds its emails, tinted, with the statuses counted, and the slash leads to the field", async ({
  page,
  context,
}) => {
  const { faults } = watch(page)
  const own = await createSampleOrganization("part")
  await becomeOwner(context, own)
  await sendSome(own, "part", 2, later())
  await sendSome(own, "part", 1)
  await page.goto(`/projects/${own.projectId}/emails`)
  await expect(rows(page)).toHaveCount(4)
  await expect(page.getByRole("rowheader", { name: /^Today/ })).toBeVisible()

  await expect(async () => {
    // The rows are there before what listens to keys.
    await page.keyboard.press("/")
    await expect(search(page)).toBeFocused({ timeout: 500 })
  }).toPass()
  await page.keyboard.type("a.nov")
  await expect(rows(page)).toHaveCount(3)
  await expect(rows(page).first().locator("mark").first()).toHaveText("a.nov")
  await expect(search(page)).toBeFocused()
  const chips = page.getByRole("group", { name: "Status" })
  await expect(chips.getByRole("button", { name: "All 3" })).toBeVisible()
  await chips.getByRole("button", { name: "Scheduled 2" }).click()
  await expect(rows(page)).toHaveCount(2)
  await expect(page).toHaveURL(/status=scheduled/)

  // Several statuses can be chosen; the address says so, and a reload shows the same.
  await chips.getByRole("button", { name: "Delivered 1" }).click()
  await expect(rows(page)).toHaveCount(3)
  await expect(page).toHaveURL(/status=scheduled(,|%2C)delivered/)
  await page.reload()
  await expect(rows(page)).toHaveCount(3)
  for (const chosen of ["Scheduled 2", "Delivered 1"])
    await expect(chips.getByRole("button", { name: chosen })).toHaveAttribute("aria-pressed", "true")
  await chips.getByRole("button", { name: "Scheduled 2" }).click()
  await expect(rows(page)).toHaveCount(1)
  await chips.getByRole("button", { name: "All 3" }).click()
  await expect(rows(page)).toHaveCount(3)
  await expect(page).not.toHaveURL(/status=/)

  await search(page).fill("zzzz")
  await expect(page.getByText("No emails match “zzzz”")).toBeVisible()
  await expectAccessible(page)
  await page.getByRole("button", { name: "Clear search" }).click()
  await expect(rows(page)).toHaveCount(4)
  expect(faults).toEqual([])
})

test("the keyboard shows an email beside the list, moves it with the row, and closes it where it began", async ({
  page,
  context,
}) => {
  const { faults } = watch(page)
  const own = await createSampleOrganization("peek")
  await becomeOwner(context, own)
  await sendSome(own, "peek", 3)
  await page.goto(`/projects/${own.projectId}/emails`)
  await expect(rows(page)).toHaveCount(4)

  await expect(async () => {
    await rows(page).first().focus()
    await page.keyboard.press("Space")
    await expect(panel(page)).toBeVisible({ timeout: 2_000 })
  }).toPass()
  await expect(panel(page).getByRole("heading", { name: "Order 8802" })).toBeVisible()
  await expect(page).toHaveURL(/peek=email_/)
  await page.keyboard.press("j")
  await expect(panel(page).getByRole("heading", { name: "Order 8801" })).toBeVisible()
  await expectAccessible(page)
  await panel(page).getByRole("button", { name: "Previous email" }).click()
  await expect(panel(page).getByRole("heading", { name: "Order 8802" })).toBeVisible()
  await page.keyboard.press("Escape")
  await expect(panel(page)).toHaveCount(0)
  await expect(rows(page).first()).toBeFocused()
  await page.keyboard.press("Enter")
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Order 8802")
  expect(faults).toEqual([])
})

test("scheduled emails are cancelled together, some by hand and then all that match, and sent again together", async ({
  page,
  context,
}) => {
  const { faults } = watch(page)
  const own = await createSampleOrganization("bulk")
  await becomeOwner(context, own)
  await sendSome(own, "bulk", 53, later())
  await page.goto(`/projects/${own.projectId}/emails?search=novak`)
  await expect(rows(page)).toHaveCount(50)
  await expect(page.getByRole("cell", { name: "53 emails" })).toBeVisible()

  await test.step("X and Shift with J choose rows; the bar counts what each action applies to", async () => {
    await expect(async () => {
      await rows(page).first().focus()
      await page.keyboard.press("x")
      await expect(bulk(page)).toContainText("1 selected", { timeout: 1_000 })
    }).toPass()
    await page.keyboard.press("Shift+J")
    await expect(bulk(page)).toContainText("2 selected")
    await expect(bulk(page).getByRole("button", { name: "Send again 0" })).toBeDisabled()
    await expectAccessible(page)
    await bulk(page).getByRole("button", { name: "Cancel 2" }).click()
    await page.getByRole("button", { name: "Cancel emails" }).click()
    await expect(page.getByText("2 emails cancelled")).toBeVisible()
    await expect(bulk(page)).toHaveCount(0)
    await expect(page.getByRole("button", { name: "Cancelled 2" })).toBeVisible()
  })

  await test.step("all that match, those of other pages too", async () => {
    await rows(page).first().focus()
    await page.keyboard.press("ControlOrMeta+A")
    await expect(bulk(page)).toContainText("50 selected")
    await bulk(page).getByRole("button", { name: "Select all 53" }).click()
    await bulk(page).getByRole("button", { name: "Cancel 51" }).click()
    await page.getByRole("button", { name: "Cancel emails" }).click()
    await expect(page.getByText("51 emails cancelled")).toBeVisible()
  })

  await test.step("what was cancelled can be sent again", async () => {
    await rows(page).first().focus()
    await page.keyboard.press("x")
    await bulk(page).getByRole("button", { name: "Send again 1" }).click()
    await page.getByRole("button", { name: "Send email" }).click()
    await expect(page.getByText("1 email sent again")).toBeVisible()
    await expect(page.getByRole("button", { name: /^All 54/ })).toBeVisible()
  })

  await test.step("all that can be sent again are asked for, however many newer ones still wait", async () => {
    await sendSome(own, "bulk", 1, later())
    await expect(page.getByRole("button", { name: "Scheduled 1" })).toBeVisible({ timeout: 20_000 })
    const pages = (url: URL) => url.pathname.endsWith("/emails") && url.searchParams.get("size") === "100"
    const asked: (string | null)[] = []
    await page.route(pages, async (route) => {
      asked.push(new URL(route.request().url()).searchParams.get("status"))
      await route.fulfill({ json: { data: [] } })
    })
    await rows(page).first().focus()
    await page.keyboard.press("ControlOrMeta+A")
    await bulk(page).getByRole("button", { name: "Select all 55" }).click()
    await bulk(page).getByRole("button", { name: "Send again 5" }).click()
    await page.getByRole("button", { name: "Send emails" }).click()
    await expect(page.getByText("0 emails sent again")).toBeVisible()
    expect(asked, "the statuses of the emails that were read").toEqual([expect.stringContaining("cancelled")])
    expect(asked[0], "the statuses of the emails that were read").not.toContain("scheduled")
  })
  expect(faults).toEqual([])
})

test("new emails wait in a line while somebody reads further down, and no row moves", async ({ page, context }) => {
  const own = await createSampleOrganization("waiting")
  await becomeOwner(context, own)
  await sendSome(own, "waiting", 40)
  await page.goto(`/projects/${own.projectId}/emails`)
  await expect(rows(page)).toHaveCount(41)
  await rows(page).nth(30).scrollIntoViewIfNeeded()
  const before = await rows(page).first().getAttribute("data-email")
  await sendEmail(own, { from: "shop@waiting.test", subject: "Newest" })
  await page.getByRole("button", { name: "1 new email" }).click()
  await expect(rows(page).first()).toContainText("Newest")
  await expect(rows(page).nth(1)).toHaveAttribute("data-email", before ?? "")
  expect(await page.evaluate(() => window.scrollY)).toBe(0)
})

test("a page beyond the last one leads to the first", async ({ page, context }) => {
  const own = await createSampleOrganization("beyond")
  await becomeOwner(context, own)
  await page.goto(`/projects/${own.projectId}/emails?page=9`)
  await expect(page.getByText("Nothing on this page")).toBeVisible()
  await page.getByRole("button", { name: "First page" }).click()
  await expect(rows(page)).toHaveCount(1)
})

test("what is selected is what is shown, while newer emails wait", async ({ page, context }) => {
  const own = await createSampleOrganization("shown")
  await becomeOwner(context, own)
  await sendSome(own, "shown", 4, later())
  await page.goto(`/projects/${own.projectId}/emails?search=novak`)
  await expect(rows(page)).toHaveCount(4)
  await expect(async () => {
    await rows(page).first().focus()
    await page.keyboard.press("x")
    await expect(bulk(page)).toContainText("1 selected", { timeout: 1_000 })
  }).toPass()
  await sendSome(own, "shown", 2, later())
  await expect(page.getByRole("button", { name: "2 new emails" })).toBeVisible()
  await rows(page).first().focus()
  await page.keyboard.press("ControlOrMeta+A")
  await expect(bulk(page), "all that are shown").toContainText("4 selected")
  const ids = await rows(page).evaluateAll((all) => all.map((row) => row.dataset.email))
  const exported = await bulk(page).getByRole("link", { name: "Export 4" }).getAttribute("href")
  expect(new URL(exported ?? "", own.baseUrl).searchParams.get("ids")?.split(","), "what is exported").toEqual(ids)
  await expect(bulk(page).getByRole("button", { name: "Cancel 4" })).toBeEnabled()
})

test("the side bar counts what others send while the email log or Live is open, long before it would ask by itself", async ({
  page,
  context,
}) => {
  const { faults } = watch(page)
  const own = await createSampleOrganization("counted")
  await becomeOwner(context, own)
  const count = page
    .getByRole("navigation", { name: "Main" })
    .getByRole("link", { name: /^Emails/ })
    .locator("span[aria-hidden]")
    .last()
  await page.goto(`/projects/${own.projectId}/emails`)
  await expect(rows(page)).toHaveCount(1)
  await expect(count).toHaveText("1")
  await sendEmail(own, { from: "shop@counted.test", subject: "Second" })
  await expect(count).toHaveText("2")

  await page.goto(`/projects/${own.projectId}/stream`)
  await expect(page.getByRole("status").getByText("Live")).toBeVisible()
  await expect(count).toHaveText("2")
  await sendEmail(own, { from: "shop@counted.test", subject: "Third" })
  await expect(count).toHaveText("3")
  expect(faults).toEqual([])
})
