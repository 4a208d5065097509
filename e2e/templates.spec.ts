import { expect, test } from "@playwright/test"
import { expectAccessible, watch } from "@/e2e/support/browser"
import { createSampleOrganization } from "@/e2e/support/sample-organization"
import { becomeOwner } from "@/e2e/support/signed-in"

test("a template is made from HTML of another tool, gets its variables, is previewed, published, tested and restored", async ({
  page,
  context,
}) => {
  const { faults } = watch(page)
  const own = await createSampleOrganization("templates")
  await becomeOwner(context, own)
  await page.goto(`/projects/${own.projectId}/emails`)
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Templates" }).click()
  await expect(page.getByRole("table", { name: "Templates" })).toContainText("welcome")
  await expectAccessible(page)

  await page.getByRole("button", { name: "Create template" }).click()
  await page.getByLabel("Name").fill("receipt")
  await page.getByLabel("Subject").fill("Your receipt")
  await page.getByRole("dialog").getByRole("button", { name: "Create template" }).click()
  await expect(page.getByRole("heading", { level: 1, name: "receipt" })).toBeVisible()

  const content = page.getByRole("region", { name: "Content" })
  await content.getByLabel("HTML file").setInputFiles({
    name: "receipt.html",
    mimeType: "text/html",
    buffer: Buffer.from("<!doctype html><h1>{{total}} paid</h1><p>Dear {{contact.firstName | customer}}</p>"),
  })
  await expect(content).toContainText("Not among the variables yet: {{total}}")
  await content.getByRole("button", { name: "Save" }).click()
  await expect(content.getByText("{{total}} is not in `variables`. Declare it there.")).toBeVisible()
  await content.getByRole("button", { name: "Add variable" }).first().click()
  await content.getByLabel("Type of variable 1").selectOption("number")
  await expectAccessible(page)
  await page.getByRole("button", { name: "Save and publish" }).click()
  await expect(page.locator("header").getByText("Published", { exact: true })).toBeVisible()

  const preview = page.getByRole("region", { name: "Preview" })
  await preview.getByLabel("total").fill("99")
  const frame = page.frameLocator("iframe[title='Preview of the email']")
  await expect(frame.getByRole("heading", { name: "99 paid" })).toBeVisible()
  await preview.getByLabel("total").fill("a lot")
  await expect(preview).toContainText("Must be")
  await expectAccessible(page)

  await page.getByRole("button", { name: "Send test" }).click()
  const dialog = page.getByRole("dialog")
  await dialog.getByLabel("From").fill("hello@templates.test")
  await dialog.getByLabel("To").fill("ada@lovelace.example")
  await expectAccessible(page)
  await dialog.getByRole("button", { name: "Send test" }).click()
  await expect(page.getByText("Sent to ada@lovelace.example")).toBeVisible()

  await content.getByLabel("Subject").fill("Changed")
  await content.getByRole("button", { name: "Save" }).click()
  await expect(page.locator("header").getByText("Changed", { exact: true })).toBeVisible()
  await page.getByRole("button", { name: "Restore version 1" }).click()
  await expect(content.getByLabel("Subject")).toHaveValue("Your receipt")
  expect(faults).toEqual([])
})

test("a template chosen in Compose gives subject and content of a broadcast, and asks for the values that it needs", async ({
  page,
  context,
}) => {
  const { faults } = watch(page)
  const own = await createSampleOrganization("composed")
  await becomeOwner(context, own)
  const headers = { authorization: `Bearer ${own.apiKey}`, "content-type": "application/json" }
  const templates = `${own.baseUrl}/v1/projects/${own.projectId}/templates`
  const variables = [{ name: "plan" }, { name: "sign", fallback: "Ada" }]
  const content = {
    subject: "Your {{plan}} plan",
    html: "<h1>{{plan}}</h1><p>{{contact.firstName | you}}, {{sign}}</p>",
  }
  const made = await fetch(templates, {
    ...{ method: "POST", headers, body: JSON.stringify({ name: "plans", ...content, variables }) },
  })
  const { id } = (await made.json()) as { id: string }
  await fetch(`${templates}/${id}/publish`, { method: "POST", headers })

  await page.goto(`/projects/${own.projectId}/emails/compose?to=${own.ids.segmentId}`)
  const to = page.getByRole("region", { name: "Sender and recipients" })
  await expect(to.getByLabel("Content")).not.toContainText("welcome")
  await to.getByLabel("Content").selectOption({ label: "Template: plans" })
  await expect(to.getByLabel("Subject")).toBeHidden()
  const values = page.getByRole("region", { name: "Content" })
  await expect(values.getByLabel("sign")).toHaveValue("")
  await expect(values).toContainText("Without a value: Ada")
  const before = page.getByRole("region", { name: "Before you send" })
  await expect(before).toContainText("Give plan: no fallback is declared.")
  await page.getByRole("button", { name: "Send email" }).click()
  await expect(page.getByRole("form", { name: "Compose" })).toContainText(
    "Give a value to every variable without a fallback.",
  )
  await expectAccessible(page)

  await values.getByLabel("plan").fill("Team")
  await expect(before).toContainText("plans, version 1.")
  const phone = page.frameLocator("iframe[title='Preview, Phone, 375 px']")
  await expect(phone.getByRole("heading", { name: "Team" })).toBeVisible()
  await expect(phone.getByText("Ada, Ada")).toBeVisible()
  await expect(page.getByRole("region", { name: "Preview" })).toContainText("Your Team plan")
  await expectAccessible(page)
  await page.getByRole("button", { name: "Send email" }).click()
  await page.getByRole("alertdialog", { name: "Send to 1 person?" }).getByRole("button", { name: "Send email" }).click()
  await expect(page.getByText("Sent to 1 person.")).toBeVisible({ timeout: 30_000 })
  await expect(page.getByRole("heading", { level: 1, name: "Your Team plan" })).toBeVisible()
  expect(faults).toEqual([])
})
