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

test("what is typed into a template survives a change by others and a save, is published once, and is not replaced unasked", async ({
  page,
  context,
}) => {
  const own = await createSampleOrganization("typed")
  await becomeOwner(context, own)
  const headers = { authorization: `Bearer ${own.apiKey}`, "content-type": "application/json" }
  const templates = `${own.baseUrl}/v1/projects/${own.projectId}/templates`
  const ask = async (path: string, method: string, body: object) => {
    const answer = await fetch(`${templates}${path}`, { method, headers, body: JSON.stringify(body) })
    return (await answer.json()) as { id: string; name: string; html: string; version: number }
  }
  const { id } = await ask("", "POST", { name: "notes", subject: "Notes", html: "<p>stored</p>" })
  await ask(`/${id}/publish`, "POST", {})
  await page.clock.install()
  await page.goto(`/projects/${own.projectId}/templates/${id}`)
  const content = page.getByRole("region", { name: "Content" })
  const html = content.getByLabel("HTML", { exact: true })
  const writes: string[] = []
  page.on("request", (request) => {
    if (request.method() !== "GET" && !request.url().endsWith("/preview"))
      writes.push(`${request.method()} ${new URL(request.url()).pathname.split(id)[1]} ${request.postData() ?? ""}`)
  })

  await expect(async () => {
    await html.fill("<p>typed</p>")
    await expect(content.getByRole("button", { name: "Save" })).toBeVisible({ timeout: 1_000 })
    // The page may begin to run between the parts of filling in.
    await expect(html).toHaveValue("<p>typed</p>", { timeout: 1_000 })
  }).toPass()
  await ask(`/${id}`, "PATCH", { name: "renamed" })
  await page.clock.fastForward(11_000)
  await page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")))
  await expect(page.getByRole("heading", { level: 1, name: "renamed" })).toBeVisible()
  await expect(html, "after a change by others").toHaveValue("<p>typed</p>")

  let answer = () => undefined as void
  const asked = new Promise<void>((resolve) => (answer = resolve))
  await page.route(`**/templates/${id}`, async (route) => {
    if (route.request().method() === "PATCH") await asked
    await route.continue()
  })
  await content.getByRole("button", { name: "Save" }).click()
  await html.fill("<p>typed meanwhile</p>")
  answer()
  await expect(page.getByText("Saved", { exact: true })).toBeVisible()
  await expect(html, "after the save").toHaveValue("<p>typed meanwhile</p>")
  expect(writes, "only what was typed is sent").toEqual(['PATCH  {"html":"<p>typed</p>"}'])

  await page.getByRole("button", { name: "Restore version 1" }).click()
  const question = page.getByRole("alertdialog", { name: "Replace your changes with version 1?" })
  await expectAccessible(page)
  await question.getByRole("button", { name: "Cancel" }).click()
  await expect(html, "after Cancel").toHaveValue("<p>typed meanwhile</p>")

  writes.length = 0
  await page.getByRole("button", { name: "Save and publish" }).dblclick()
  await expect(page.locator("header").getByText("Published", { exact: true })).toBeVisible()
  expect(writes, "one save and one version").toEqual(['PATCH  {"html":"<p>typed meanwhile</p>"}', "POST /publish "])

  await page.route(`**/templates/${id}/publish`, (route) =>
    route.fulfill({ status: 429, json: { code: "rate_limit.exceeded", status: 429, title: "Slow", detail: "Wait." } }),
  )
  await html.fill("<p>third</p>")
  await page.getByRole("button", { name: "Save and publish" }).click()
  await expect(content.getByRole("alert")).toContainText("The template was not published.")
  await expect(content.getByRole("alert")).toContainText("Wait.")
  await expectAccessible(page)

  await html.fill("<p>fourth</p>")
  await page.getByRole("button", { name: "Restore version 1" }).click()
  await question.getByRole("button", { name: "Replace changes" }).click()
  await expect(html).toHaveValue("<p>stored</p>")
  await expect(content.getByRole("button", { name: "Discard" })).toHaveCount(0)
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
