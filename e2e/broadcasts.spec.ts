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
    await expect(page.getByRole("region", { name: "Results" })).toContainText("100.00% of sent", { timeout: 30_000 })
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
    await expect(page.locator("header").getByText("Cancelled", { exact: true })).toBeVisible()
    await expect(page.getByRole("button", { name: "Send now" })).toHaveCount(0)
  })
  expect(faults).toEqual([])
})

test("a shared draft keeps the last words of who leaves at once, and Back shows them without a conflict", async ({
  page,
  context,
}) => {
  const own = await createSampleOrganization("lastwords")
  await becomeOwner(context, own)
  const path = `/v1/projects/${own.projectId}/broadcasts/${own.ids.broadcastId}`
  const stored = async () => {
    const answer = await fetch(own.baseUrl + path, { headers: { authorization: `Bearer ${own.apiKey}` } })
    return ((await answer.json()) as { subject: string }).subject
  }
  const subject = page.getByRole("textbox", { name: /^Subject/ })
  const emails = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: /^Emails/ })
  const saved = page.getByText(/^Draft, shared with your project, saved at/)

  await page.goto(`/projects/${own.projectId}/emails/compose?draft=${own.ids.broadcastId}`)
  await expect(saved).toBeVisible()
  // Held back, so that the words are not saved when the link is pressed.
  let answer = () => {}
  const held = new Promise<void>((resolve) => (answer = resolve))
  await page.route(`**${path}`, async (route) => {
    if (route.request().method() === "PATCH") await held
    await route.continue()
  })
  await subject.fill("The last words")
  await expect(page.getByText("Saving …")).toBeVisible()
  await emails.click()
  await page.getByRole("alertdialog").getByRole("button", { name: "Save and leave" }).click()
  answer()
  await expect(page.getByRole("heading", { level: 1, name: "Emails" })).toBeVisible()
  expect(await stored(), "the subject on the server").toBe("The last words")

  await page.goBack()
  await expect(subject).toHaveValue("The last words")
  await subject.fill("The last words again")
  await expect.poll(stored, "the subject on the server").toBe("The last words again")
  await expect(saved).toBeVisible()
})

test("who types into a shared draft without a pause is saved within seconds", async ({ page, context }) => {
  const own = await createSampleOrganization("nopause")
  await becomeOwner(context, own)
  await page.goto(`/projects/${own.projectId}/emails/compose?draft=${own.ids.broadcastId}`)
  await expect(page.getByText(/^Draft, shared with your project, saved at/)).toBeVisible()
  let isSaved = false
  const change = page.waitForRequest((request) => request.method() === "PATCH").then(() => (isSaved = true))
  const subject = page.getByRole("textbox", { name: /^Subject/ })
  // Ends with the first save, or after far longer than one may wait for it.
  for (let letters = 0; !isSaved && letters < 60; letters++) await subject.press("a", { delay: 200 })
  expect(isSaved, "whether it was saved while letters came").toBe(true)
  await change
})

test("a broadcast is written with names, shown as one person gets it, shared as a draft, sent after one question and followed by person and link", async ({
  page,
  context,
}) => {
  const { faults } = watch(page)
  const own = await createSampleOrganization("letters")
  await becomeOwner(context, own)
  const root = `/projects/${own.projectId}`
  const ask = async (path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${own.apiKey}`, ...(body ? { "content-type": "application/json" } : {}) }
    const init = body ? { method: "POST", body: JSON.stringify(body) } : {}
    return (await fetch(`${own.baseUrl}/v1/projects/${own.projectId}/${path}`, { headers, ...init })).json()
  }
  const segment = (await ask("segments", { name: "Readers" })) as { id: string }
  for (const [email, firstName] of [["bea@lovelace.example", "Bea"], ["carl@lovelace.example"]])
    await ask("contacts", { email, ...(firstName && { firstName }), segments: [{ id: segment.id }] })
  const before = page.getByRole("region", { name: "Before you send" })
  const message = page.getByRole("textbox", { name: "Message" })
  const preview = page.getByTitle("Preview, Phone, 375 px").contentFrame()

  await test.step("placeholders come from a menu, an unknown one is named, and those without a value are counted", async () => {
    await page.goto(`${root}/emails/compose?to=${segment.id}`)
    await page.getByRole("textbox", { name: /^Subject/ }).fill("News for you")
    await message.fill("Hello {{contact.lastnam}}")
    await expect(before).toContainText("{{contact.lastnam}} is neither a field of contacts")
    await message.fill("Hello ")
    await page.getByRole("button", { name: "Insert field into the message" }).click()
    await page.getByRole("menuitem", { name: "First name" }).click()
    await expect(message).toHaveValue("Hello {{contact.firstName | there}}")
    await page.keyboard.type("reader")
    await expect(message).toHaveValue("Hello {{contact.firstName | reader}}")
    await expect(before).toContainText("Everyone has a value or gets a fallback.")
    await message.fill("Hello {{contact.firstName}}, read [this](https://example.com/a)")
    await expect(before).toContainText("First name: 1 of 2 recipients.")
    await expectAccessible(page)
  })

  await test.step("the preview is what a chosen person gets, with the link to unsubscribe", async () => {
    await expect(preview.getByText("Hello Bea, read this")).toBeVisible()
    await expect(preview.getByText("Unsubscribe, or choose which emails you get")).toBeVisible()
    await page.getByRole("combobox", { name: "Person" }).selectOption("carl@lovelace.example")
    await expect(preview.getByText("Hello , read this")).toBeVisible()
  })

  await test.step("shared as a draft, a colleague's change is told and neither version is lost", async () => {
    await page.getByRole("button", { name: "Share with your project" }).click()
    await expect(page).toHaveURL(/draft=bc_/)
    const id = /draft=(bc_\w+)/.exec(page.url())?.[1] ?? ""
    await page.getByRole("textbox", { name: /^Subject/ }).fill("Mine")
    await expect(page.getByText(/^Draft, shared with your project, saved at/)).toBeVisible()
    await expect.poll(async () => ((await ask(`broadcasts/${id}`)) as { subject: string }).subject).toBe("Mine")
    await fetch(`${own.baseUrl}/v1/projects/${own.projectId}/broadcasts/${id}`, {
      method: "PATCH",
      headers: { authorization: `Bearer ${own.apiKey}`, "content-type": "application/json" },
      body: JSON.stringify({ subject: "Theirs" }),
    })
    await page.getByRole("textbox", { name: /^Subject/ }).fill("Mine again")
    await expect(page.getByText("somebody else changed this draft")).toBeVisible()
    await expectAccessible(page)
    await page.getByRole("button", { name: "Open theirs" }).click()
    await expect(page.getByRole("textbox", { name: /^Subject/ })).toHaveValue("Theirs")
    await page.getByRole("button", { name: "1 other draft" }).click()
    await expect(page.getByRole("menuitem", { name: "Mine again" })).toBeVisible()
    await page.keyboard.press("Escape")
  })

  await test.step("one question names how many people get it and what is amber, also where that is known after the press", async () => {
    let answer = () => {}
    const held = new Promise<void>((resolve) => (answer = resolve))
    await page.route("**/broadcasts/preview*", async (route) => {
      await held
      await route.continue()
    })
    await page.getByRole("textbox", { name: /^Subject/ }).fill("News for you all")
    await page.getByRole("button", { name: "Send email" }).click()
    const dialog = page.getByRole("alertdialog", { name: "Send to 2 people?" })
    await expect(dialog).toContainText("Placeholders not checked yet")
    answer()
    await expect(dialog).toContainText("Recipients without a value")
    await expect(dialog).not.toContainText("not checked yet")
    await expectAccessible(page)
    await dialog.getByRole("button", { name: "Send email" }).click()
    await expect(page.getByText("Sent to 2 people.")).toBeVisible({ timeout: 30_000 })
  })

  await test.step("results are by person and by link, and what is not tracked is not 0", async () => {
    const results = page.getByRole("region", { name: "Results" })
    await expect(results).toContainText("100.00% of sent", { timeout: 30_000 })
    await expect(results).toContainText("Not tracked")
    const people = page.getByRole("table", { name: "People" })
    await expect(people.getByRole("row")).toHaveCount(3)
    await page
      .getByRole("region", { name: "People" })
      .getByRole("button", { name: /^Delivered 2/ })
      .click()
    await expect(page).toHaveURL(/outcome=delivered/)
    await expect(people).toContainText("carl@lovelace.example")
    await expect(page.getByRole("region", { name: "Links" })).toContainText("Clicks are not tracked.")
    await expectAccessible(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await expectAccessible(page)
  })

  await test.step("a copy is a draft, and the list shows the figures of what was sent", async () => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole("button", { name: "Duplicate" }).click()
    await expect(page.getByText("This is a draft. No email has been sent.")).toBeVisible()
    await expect(page.getByRole("link", { name: "Edit" })).toBeVisible()
    await page.goto(`${root}/broadcasts`)
    const sent = page
      .getByRole("row")
      .filter({ hasText: "News for you" })
      .filter({ has: page.getByText("Sent", { exact: true }) })
    await expect(sent).toContainText("2 100.00%")
    await expect(sent).toContainText("Not tracked")
    await expectAccessible(page)
  })
  expect(faults).toEqual([])
})
