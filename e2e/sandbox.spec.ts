import { expect, test } from "@playwright/test"
import { expectAccessible, watch } from "@/e2e/support/browser"
import { createSampleOrganization } from "@/e2e/support/sample-organization"
import { becomeOwner, sendEmail } from "@/e2e/support/signed-in"

test("one message of the sandbox mailbox is deleted from its page, and the others together from the list", async ({
  page,
  context,
}) => {
  const { faults } = watch(page)
  const own = await createSampleOrganization("mailbox")
  await becomeOwner(context, own)
  for (const subject of ["Apple", "Banana", "Cherry"])
    await sendEmail(own, { from: "hello@mailbox.test", subject, to: ["ada@lovelace.example"] })
  await page.goto(`/projects/${own.projectId}/sandbox`)
  const rows = page.getByRole("region", { name: "Messages" }).getByRole("row")
  const subject = (text: string) => rows.filter({ hasText: text })
  await expect(subject("Cherry")).toHaveCount(1, { timeout: 20_000 })
  await expect(subject("Apple")).toHaveCount(1)
  await expect(subject("Banana")).toHaveCount(1)

  await subject("Banana").getByRole("link").click()
  await page.getByRole("button", { name: "Delete", exact: true }).click()
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete message" }).click()
  await expect(page).toHaveURL(/\/sandbox$/)
  await expect(subject("Apple")).toHaveCount(1)
  await expect(subject("Banana")).toHaveCount(0)

  await page.getByRole("button", { name: "Delete all" }).click()
  await expect(page.getByRole("alertdialog")).toBeVisible()
  await expectAccessible(page)
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete messages" }).click()
  await expect(page.getByText("The mailbox is empty")).toBeVisible()
  await expect(page.getByRole("button", { name: "Delete all" })).toHaveCount(0)
  expect(faults).toEqual([])
})
