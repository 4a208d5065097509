import { readFile } from "node:fs/promises"
import { expect, test, type Page } from "@playwright/test"
import { expectAccessible, press, takenOver, watch } from "@/e2e/support/browser"
import { createSampleOrganization } from "@/e2e/support/sample-organization"
import { becomeOwner, productDatabase } from "@/e2e/support/signed-in"
import { decodeId } from "@/lib/platform/ids"

/** What the dispatcher would have counted over 40 days: more each day, deferrals yesterday, bounces above the limit. */
async function addCounts(projectId: string, domain: string) {
  const client = await productDatabase()
  const columns = "sent, delivered, deferred, bounced, complained, opened, any_opens, clicked, unsubscribed"
  const values = "100, 92, CASE WHEN d = 1 THEN 60 ELSE 1 END, 5, 0, 40, 60, 8, 1"
  try {
    await client.query(
      `INSERT INTO metric_hours (project_id, hour, ${columns})
        SELECT $1, date_trunc('hour', now()) - d * interval '1 day', ${values} FROM generate_series(1, 40) d
        ON CONFLICT DO NOTHING`,
      [decodeId("proj", projectId)],
    )
    await client.query(
      `INSERT INTO metric_slices (project_id, dimension, grain, starts_at, key, ${columns})
        SELECT $1, dimension, grain, date_trunc(grain, date_trunc('hour', now()) - d * interval '1 day', 'UTC'), key, ${values}
          FROM generate_series(1, 40) d, (VALUES ('hour'), ('day')) g(grain),
            (VALUES ('provider', 'gmail'), ('domain', $2), ('tag', 'kind:receipt')) k(dimension, key)
        ON CONFLICT DO NOTHING`,
      [decodeId("proj", projectId), domain],
    )
  } finally {
    await client.end()
  }
}

const heading = (page: Page) => page.getByRole("heading", { name: /emails? sent$/ })

test("metrics: window, range, domain and comparison are in the address, by mouse and by keys", async ({
  page,
  context,
}) => {
  const { faults } = watch(page)
  const own = await createSampleOrganization("figures")
  await becomeOwner(context, own)
  await addCounts(own.projectId, "figures.test")
  await page.goto(`/projects/${own.projectId}/metrics`)

  await test.step("shows volume, rates with definitions, opens, breakdown and advisor", async () => {
    await expect(heading(page)).toContainText(/[23],\d{3} emails sent|3,001 emails sent/)
    const rates = page.getByRole("table", { name: "Rates" })
    await expect(rates.getByRole("row", { name: /^Hard bounces/ })).toContainText("keep below 2%")
    await expect(page.getByText("were opened by a person")).toBeVisible()
    const breakdown = page.getByRole("table", { name: "Breakdown" })
    await expect(breakdown.getByRole("row", { name: /^Gmail/ })).toContainText("–")
    await expect(breakdown.getByRole("link", { name: "figures.test" })).toHaveAttribute(
      "href",
      /\/emails\?domain=dom_\w+&since=\d{4}-\d\d-\d\d&until=\d{4}-\d\d-\d\d$/,
    )
    const advisor = page.locator("#advisor")
    await expect(advisor.getByRole("heading", { name: /of your emails bounced/ })).toBeVisible()
    await expect(advisor.getByRole("link", { name: "See the evidence" }).first()).toHaveAttribute(
      "href",
      `/projects/${own.projectId}/emails?status=bounced`,
    )
    await expectAccessible(page)
  })

  await test.step("keys 1 to 4 choose the window, x the comparison; Back undoes", async () => {
    await page.keyboard.press("2")
    await expect(page).toHaveURL(/window=7d/)
    await expect(page.getByRole("radio", { name: "7 days" })).toBeChecked()
    await expect(page.getByText("Compared with the 7 days before.")).toBeVisible()
    const week = page.getByRole("group", { name: /^Emails by day/ })
    await expect(page.getByText("Same day a week before")).toBeVisible()
    await expect(week.getByRole("button").nth(-2)).toHaveAccessibleName(/; 100 sent a week before/)
    await page.keyboard.press("x")
    await expect(week.getByRole("button").nth(-2)).not.toHaveAccessibleName(/a week before/)
    await expect(page).toHaveURL(/compare=off/)
    await expect(page.getByRole("columnheader", { name: "Before" })).toHaveCount(0)
    await page.keyboard.press("x")
    await page.keyboard.press("1")
    await expect(page).toHaveURL(/window=24h/)
    await page.goBack()
    await expect(page).toHaveURL(/window=7d/)
  })

  await test.step("arrow keys move along the bars of another window too, Enter opens the emails of that day", async () => {
    const chart = page.getByRole("group", { name: /^Emails by day/ })
    await expect(chart.getByRole("button")).toHaveCount(8)
    await chart.getByRole("button").last().focus()
    await page.keyboard.press("3")
    await expect(page).not.toHaveURL(/window/)
    await expect(chart.getByRole("button")).toHaveCount(31)
    await expect(chart.getByRole("button").last()).toBeFocused()
    await page.keyboard.press("ArrowLeft")
    const yesterday = chart.getByRole("button").nth(-2)
    await expect(yesterday).toBeFocused()
    await expect(yesterday).toHaveAccessibleName(/60 deferred/)
    await page.keyboard.press("Enter")
    const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
    await expect(page).toHaveURL(new RegExp(`/emails\\?since=${day}&until=${day}`))
    await page.goBack()
    await expect(heading(page)).toBeVisible()
  })

  await test.step("one sending domain, and a range of one's own", async () => {
    await page.getByRole("combobox", { name: "Sending domain" }).selectOption("figures.test")
    await expect(page).toHaveURL(/domain=figures\.test/)
    await page.getByText("Custom", { exact: true }).click()
    const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
    await page.getByLabel("From", { exact: true }).fill(day(3))
    await page.getByLabel("to", { exact: true }).fill(day(5))
    await page.getByRole("button", { name: "Apply" }).click()
    await expect(page.getByText("The first day is after the last.")).toBeVisible()
    await page.getByLabel("From", { exact: true }).fill(day(8))
    await page.getByRole("button", { name: "Apply" }).click()
    await expect(page).toHaveURL(new RegExp(`from=${day(8)}&to=${day(5)}`))
    await expect(heading(page)).toHaveText("400 emails sent")
    await page.getByLabel("From", { exact: true }).fill(day(7))
    await page.getByRole("button", { name: "Apply" }).click()
    await expect(heading(page)).toHaveText("300 emails sent")
    await page.goBack()
    await expect(heading(page)).toHaveText("400 emails sent")
    await expect(page.getByLabel("From", { exact: true }), "the first day of what is shown").toHaveValue(day(8))
    await page.goBack()
    await expect(page).not.toHaveURL(/from=/)
    await expect(page.getByRole("radio", { name: "30 days" }), "the period that is shown").toBeChecked()
    await page.goForward()
    await expect(heading(page)).toHaveText("400 emails sent")
    await page.reload()
    await expect(heading(page)).toHaveText("400 emails sent")
    await takenOver(page, "main select")
    await expect(page.getByRole("combobox", { name: "Sending domain" })).toHaveValue("figures.test")
  })

  await test.step("the figures cannot be saved while a breakdown is on its way", async () => {
    const save = page.getByRole("button", { name: "Export CSV" })
    let letGo = () => {}
    const held = new Promise<void>((resolve) => (letGo = resolve))
    await page.route(/\/metrics\/breakdown\?/, async (route) => {
      await held
      await route.continue()
    })
    // The page may not listen yet.
    await expect(async () => {
      if (!page.url().includes("compare=off")) await page.keyboard.press("x")
      await expect(page).toHaveURL(/compare=off/, { timeout: 2_000 })
    }).toPass()
    await expect(page.getByText("Days are in UTC.")).toBeVisible()
    await expect(save, "without the breakdown").toBeDisabled()
    letGo()
    await expect(save, "with the breakdown").toBeEnabled()
    await page.unrouteAll({ behavior: "wait" })
    await page.keyboard.press("x")
    await expect(page).not.toHaveURL(/compare=off/)
    await expect(save).toBeEnabled()
  })

  await test.step("the shown figures are saved as a file, without a request", async () => {
    const download = page.waitForEvent("download")
    await page.getByRole("button", { name: "Export CSV" }).click()
    const file = await download
    expect(file.suggestedFilename()).toMatch(/^metrics-figures\.test-\d{4}-\d\d-\d\d-to-\d{4}-\d\d-\d\d\.csv$/)
    const lines = (await readFile(await file.path(), "utf8")).split("\r\n")
    expect(lines[0]).toMatch(/^part,key,name,from,to,sent,/)
    expect(lines[1]).toMatch(/^"total","","",.*,"400",/)
    expect(lines.filter((line) => line.startsWith('"day"'))).toHaveLength(4)
    expect(lines.some((line) => line.startsWith('"provider","gmail","Gmail"'))).toBe(true)
  })

  await test.step("the breakdown sorts, shows tags, and a row opens its emails", async () => {
    const breakdown = page.getByRole("table", { name: "Breakdown" })
    await breakdown.getByRole("button", { name: "Opened" }).click()
    await expect(breakdown.getByRole("columnheader", { name: "Opened" })).toHaveAttribute("aria-sort", "descending")
    await page.getByText("Tag", { exact: true }).click()
    await press(page, breakdown.getByRole("link", { name: "kind:receipt" }))
    await expect(page).toHaveURL(/\/emails\?tag=kind(%3A|:)receipt/)
  })

  await test.step("the overview leads to the advisor", async () => {
    await page.goto(`/projects/${own.projectId}`)
    const card = page.getByRole("region", { name: "Deliverability" })
    await expect(card).toContainText("of your emails bounced")
    await card.getByRole("link", { name: "Open advisor" }).click()
    await expect(page).toHaveURL(/metrics#advisor/)
    await expect(page.locator("#metrics-advisor")).toBeFocused()
  })
  expect(faults).toEqual([])
})

test("metrics of a project without mail say what will appear, and g i leads there", async ({ page, context }) => {
  const { faults } = watch(page)
  const own = await createSampleOrganization("silent")
  await becomeOwner(context, own)
  // Older than any window of the page: the one email of the sample is not counted in it.
  const client = await productDatabase()
  await client.query("DELETE FROM metric_hours WHERE project_id = $1", [decodeId("proj", own.projectId)])
  await client.end()
  await page.goto(`/projects/${own.projectId}/domains`)
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible()
  // Until the page's scripts have run, nobody hears keys.
  await expect(async () => {
    await page.keyboard.press("g")
    await page.keyboard.press("i")
    await expect(page).toHaveURL(/\/metrics$/, { timeout: 3_000 })
  }).toPass()
  await expect(page.getByText("Metrics appear with the first email")).toBeVisible()
  await expect(page.getByText("No score yet")).toBeVisible()
  await expectAccessible(page)
  expect(faults).toEqual([])
})
