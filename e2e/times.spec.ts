import { expect, test } from "@playwright/test"
import { dateWords } from "@/components/ui/time-words"
import { expectAccessible, watch } from "@/e2e/support/browser"
import { createSampleOrganization } from "@/e2e/support/sample-organization"
import { becomeOwner, productDatabase, sendEmail } from "@/e2e/support/signed-in"
import { decodeId } from "@/lib/platform/ids"
import { dayMs, hourMs } from "@/lib/platform/time"

test.use({ timezoneId: "Asia/Tokyo" })

test("days and times are the reader's own until they choose UTC, which stays chosen", async ({ page, context }) => {
  const { faults } = watch(page)
  const own = await createSampleOrganization("times")
  await becomeOwner(context, own)
  // In the evening of a day of UTC, which is the next morning in Tokyo.
  const at = new Date(Math.floor(Date.now() / dayMs) * dayMs - 28 * hourMs)
  const client = await productDatabase()
  await client.query("INSERT INTO metric_hours (project_id, hour, sent, delivered) VALUES ($1, $2, 77, 77)", [
    decodeId("proj", own.projectId),
    at,
  ])
  await client.end()
  const dayIn = (timeZone: string) => dateWords(at, { timeZone, weekday: "short", day: "numeric", month: "long" })
  const bar = (timeZone: string) => page.getByRole("button", { name: `${dayIn(timeZone)}: 77 sent` })
  expect(dayIn("Asia/Tokyo")).not.toBe(dayIn("UTC"))

  // The Overview shows its guide until it is closed.
  await page.addInitScript((key) => localStorage.setItem(key, "closed"), `mailroom.guide.${own.projectId}`)
  for (const path of ["", "/metrics"]) {
    await page.goto(`/projects/${own.projectId}${path}`)
    await expect(bar("Asia/Tokyo"), path).toBeVisible({ timeout: 20_000 })
  }
  await expect(page.getByText("Days are in Asia/Tokyo.")).toBeVisible()
  await expectAccessible(page)

  await page.goto(`/projects/${own.projectId}/metrics`)
  await bar("Asia/Tokyo").click()
  const dayThere = new Date(at.getTime() + 9 * hourMs).toISOString().slice(0, 10)
  await expect(page, "a bar opens the emails of its day").toHaveURL(new RegExp(`since=${dayThere}&until=${dayThere}`))
  for (const path of [`emails?since=${dayThere}`, `logs?since=${dayThere}`, `logs/audit?since=${dayThere}`]) {
    const asked = page.waitForRequest((request) => decodeURIComponent(request.url()).includes("T15:00:00.000Z"))
    await page.goto(`/projects/${own.projectId}/${path}`)
    await asked
    await expect(page.getByTitle("From this day, in Asia/Tokyo"), path).toHaveValue(dayThere)
    await expect(page.getByRole("main"), path).not.toContainText(", UTC")
  }

  const headers = { authorization: `Bearer ${own.apiKey}` }
  const checks = `/v1/projects/${own.projectId}/domains/${own.ids.domainId}/checks`
  const [check] = (await (await page.request.get(checks, { headers })).json()).data
  await page.goto(`/projects/${own.projectId}/domains/${own.ids.domainId}`)
  const checkedAt = page.getByLabel("Check results, newest first").locator("time").first()
  await expect(checkedAt).toContainText(dateWords(check.at, { timeStyle: "medium", timeZone: "Asia/Tokyo" }))

  await page.goto(`/projects/${own.projectId}/metrics`)
  await page.getByRole("button", { name: /^Account of/ }).click()
  await expect(page.getByRole("menu")).toContainText("Local, Asia/Tokyo")
  await page.getByRole("menuitemradio", { name: "UTC", exact: true }).click()
  await expect(page.getByText("Days are in UTC.")).toBeVisible()
  await expect(bar("UTC")).toBeVisible({ timeout: 20_000 })
  await page.reload()
  await expect(bar("UTC")).toBeVisible({ timeout: 20_000 })
  await expectAccessible(page)
  expect(faults).toEqual([])
})

test("moments inside sentences are the reader's own too", async ({ page, context }) => {
  const { faults } = watch(page)
  const own = await createSampleOrganization("sentences")
  await becomeOwner(context, own)
  const scheduledAt = new Date(Date.now() + 3 * dayMs)
  const mail = { from: "hello@sentences.test", subject: "Later", scheduledAt: scheduledAt.toISOString() }
  const id = await sendEmail(own, mail)
  const sentence = (timeZone: string) => {
    const clock = dateWords(scheduledAt, { timeZone, hour: "2-digit", minute: "2-digit" })
    return `The email is scheduled for ${clock}${timeZone === "UTC" ? " UTC" : ""} on ${dateWords(scheduledAt, { timeZone, day: "numeric", month: "long" })}`
  }
  await page.goto(`/projects/${own.projectId}/emails/${id}`)
  await expect(page.getByRole("main")).toContainText(sentence("Asia/Tokyo"))
  await expect(page.getByRole("main")).not.toContainText("UTC")
  await page.getByRole("button", { name: /^Account of/ }).click()
  await page.getByRole("menuitemradio", { name: "UTC", exact: true }).click()
  await expect(page.getByRole("main")).toContainText(sentence("UTC"))
  expect(faults).toEqual([])
})
