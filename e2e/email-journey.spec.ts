import { expect, test } from "@playwright/test"
import { expectAccessible, watch } from "@/e2e/support/browser"
import { createSampleOrganization } from "@/e2e/support/sample-organization"
import { becomeOwner, sendEmail } from "@/e2e/support/signed-in"

test("the way of an email stands in order with its key, its signature and the sandbox's verdicts, and its tab in the address", async ({
  page,
  context,
}) => {
  const { faults } = watch(page)
  const own = await createSampleOrganization("way")
  await becomeOwner(context, own)
  const id = await sendEmail(own, { from: "hello@way.test", subject: "On its way", to: ["Ada <ada@lovelace.example>"] })
  const root = `/projects/${own.projectId}`
  await page.goto(`${root}/emails/${id}`)

  await expect(page.getByRole("heading", { name: /^Delivered in \d/ })).toBeVisible({ timeout: 20_000 })
  const steps = page.getByRole("list", { name: "What happened" }).getByRole("listitem")
  await expect(steps.locator("b")).toHaveText(["Accepted", "Signed", "Handed over", "Delivered"])
  await expect(steps.first()).toContainText(/\d+ ms|\d+(\.\d)? s/)
  await expect(steps.nth(1)).toContainText("DKIM for way.test")
  const verdicts = page.getByRole("region", { name: "Authentication" })
  await expect(verdicts.getByText("Pass", { exact: true })).toHaveCount(3)
  await expectAccessible(page)

  await page.getByRole("tab", { name: "SMTP session" }).click()
  await expect(page).toHaveURL(/tab=conversation/)
  await verdicts.getByRole("link", { name: "Open the sandbox copy" }).click()
  await expect(page).toHaveURL(/\/sandbox\/msg_/)
  await page.goBack()
  await page.getByRole("main").getByRole("link", { name: "ada@lovelace.example" }).click()
  await expect(page).toHaveURL(/\/contacts\?search=ada%40lovelace\.example/)
  expect(faults).toEqual([])
})

test("a bounce leads to the suppression that it made", async ({ page, context }) => {
  const { faults } = watch(page)
  const own = await createSampleOrganization("bounce")
  await becomeOwner(context, own)
  const gone = "bounced+way@simulator.mailroom.test"
  const id = await sendEmail(own, { from: "hello@bounce.test", subject: "Gone", to: [gone] })
  await page.goto(`/projects/${own.projectId}/emails/${id}`)
  await expect(page.getByRole("heading", { name: /^Bounced after \d/ })).toBeVisible({ timeout: 20_000 })
  await expectAccessible(page)
  await page.getByRole("link", { name: "Open suppression" }).click()
  await expect(page.getByRole("table").getByText(gone)).toBeVisible()
  expect(faults).toEqual([])
})

test("a waiting email leads to the others that wait for the same domain", async ({ page, context }) => {
  const { faults } = watch(page)
  const own = await createSampleOrganization("same-cause")
  await becomeOwner(context, own)
  const send = (name: string) =>
    sendEmail(own, { from: "hello@same-cause.test", subject: name, to: [`delayed+${name}@simulator.mailroom.test`] })
  const [id] = [await send("first"), await send("second"), await send("third")]
  const others = page.getByRole("link", { name: "2 more waiting for simulator.mailroom.test" })
  await expect(async () => {
    await page.goto(`/projects/${own.projectId}/emails/${id}`)
    await expect(others).toBeVisible({ timeout: 5_000 })
  }).toPass()
  await expectAccessible(page)
  await others.click()
  await expect(page.getByRole("searchbox").first()).toHaveValue("@simulator.mailroom.test")
  for (const name of ["first", "second", "third"])
    await expect(page.getByRole("main").getByText(name, { exact: true })).toBeVisible()
  expect(faults).toEqual([])
})
