import { expect, test } from "@playwright/test"
import { expectAccessible, watch } from "@/e2e/support/browser"
import { createSampleOrganization } from "@/e2e/support/sample-organization"
import { becomeOwner } from "@/e2e/support/signed-in"

test("a draft of a broadcast is sent from its page and counts who got it; one that waits can be cancelled", async ({
  page,
  context,
}) => {
  const { faults } = watch(page)
  const own = await createSampleOrganization("broadcast")
  await becomeOwner(context, own)
  const root = `/projects/${own.projectId}`
  await page.goto(`${root}/emails`)
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Broadcasts" }).click()
  await expect(page.getByRole("heading", { level: 1, name: "Broadcasts" })).toBeVisible()
  await expectAccessible(page)

  await test.step("send", async () => {
    await page.getByRole("row").filter({ hasText: "Your receipt" }).getByRole("link").click()
    await expect(page.getByText("This is a draft. No email has been sent.")).toBeVisible()
    await expectAccessible(page)
    await page.getByRole("button", { name: "Send now" }).click()
    await page.getByRole("button", { name: "Send broadcast" }).click()
    await expect(page.getByText("Sent to 1 person.")).toBeVisible({ timeout: 30_000 })
    await expect(page.getByRole("progressbar", { name: "People processed" })).toHaveAttribute("aria-valuenow", "1")
    await expect(page.getByRole("region", { name: "Results" })).toContainText("100.0% of sent", { timeout: 30_000 })
    await expectAccessible(page)
    await page.getByRole("link", { name: "Open its emails" }).click()
    await expect(page.getByRole("table", { name: "Emails" }).locator("tr[data-email]")).toHaveCount(1)
    await page.locator("tr[data-email]").getByRole("link").click()
    await page.getByRole("link", { name: "Part of a broadcast" }).click()
    await expect(page.getByRole("heading", { level: 1, name: "Your receipt" })).toBeVisible()
  })

  await test.step("cancel", async () => {
    const answer = await fetch(`${own.baseUrl}/v1/projects/${own.projectId}/broadcasts`, {
      method: "POST",
      headers: { authorization: `Bearer ${own.apiKey}`, "content-type": "application/json" },
      body: JSON.stringify({
        from: "hello@broadcast.test",
        to: [own.ids.segmentId],
        subject: "For later",
        text: "Hello.",
        scheduledAt: new Date(Date.now() + 3_600_000).toISOString(),
      }),
    })
    const { id } = (await answer.json()) as { id: string }
    await page.goto(`${root}/broadcasts/${id}`)
    await expect(page.getByText(/^It starts on /)).toBeVisible()
    await page.getByRole("button", { name: "Cancel broadcast" }).click()
    await page.getByRole("alertdialog").getByRole("button", { name: "Cancel broadcast" }).click()
    await expect(page.locator("header").getByText("Cancelled")).toBeVisible()
    await expect(page.getByRole("button", { name: "Send now" })).toHaveCount(0)
  })
  expect(faults).toEqual([])
})
