import { expect, test, type Page } from "@playwright/test"
import { expectAccessible, watch } from "@/e2e/support/browser"
import { createSampleOrganization, type SampleOrganization } from "@/e2e/support/sample-organization"
import { becomeOwner, sendEmail } from "@/e2e/support/signed-in"

let own: SampleOrganization
test.beforeAll(async ({}, { workerIndex }) => {
  own = await createSampleOrganization(`compose${workerIndex}`)
})
test.beforeEach(({ context }) => becomeOwner(context, own))

const header = (page: Page) => page.getByRole("main").locator("header").first()
const to = (page: Page) => page.getByRole("combobox", { name: "To", exact: true })
const chips = (page: Page) => page.locator("[data-chip]")
const options = (page: Page) => page.getByRole("listbox", { name: "Suggestions" }).getByRole("option")
const tab = (page: Page, name: string) => page.getByRole("tab", { name, exact: true })
const check = (page: Page) => page.getByRole("region", { name: "Before you send" })

/** Asked before an audience gets something, or where a check is not green. */
async function confirm(page: Page, action = "Send email") {
  await page.getByRole("alertdialog").getByRole("button", { name: action }).click()
}

async function write(page: Page, recipients: string, subject: string, { withText = true } = {}) {
  await page.goto(`/projects/${own.projectId}/emails/compose`)
  await expect(page.getByRole("textbox", { name: "From" })).toHaveValue("hello")
  await expect(page.getByRole("combobox", { name: "Sender domain" })).toHaveValue(/^compose\d+\.test$/)
  await to(page).fill(recipients)
  await page.getByRole("textbox", { name: /^Subject/ }).fill(subject)
  await tab(page, "HTML").click()
  await page
    .getByRole("textbox", { name: "HTML body" })
    .fill("<h1>Hello</h1><p>Read <a href='https://example.com/a'>this</a>.</p>")
  if (!withText) return
  // A check above it that comes meanwhile moves it, at worst between press and release.
  await expect(async () => {
    await check(page).getByRole("button", { name: "Make it from the HTML" }).click({ timeout: 5_000 })
    await expect(check(page)).not.toContainText("No text part", { timeout: 2_000 })
  }).toPass({ timeout: 30_000 })
}

/** As `datetime-local` takes it: the browser's clock, to the minute. */
function inMinutes(minutes: number): string {
  const at = new Date(Date.now() + minutes * 60_000)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

test("what would go wrong is named before sending: a suppressed recipient, a missing text part, a sender that is not ours", async ({
  page,
}) => {
  const { faults } = watch(page)
  // With a label the simulator's bounce is remembered as a real one is.
  const gone = "bounced+compose@simulator.mailroom.test"
  const bounced = await sendEmail(own, { from: `hello@${own.email.split("@")[0]}.test`, subject: "Gone", to: [gone] })
  await page.goto(`/projects/${own.projectId}/emails/${bounced}`)
  await expect(header(page)).toContainText("Bounced", { timeout: 20_000 })
  await expect(page.getByText(`The mailbox ${gone} does not exist.`)).toBeVisible()
  await expect(page.getByText(/The server said “5\d\d .*”/)).toBeVisible()
  await expectAccessible(page)

  await write(page, `ada@lovelace.example, ${gone}`, "Two people", { withText: false })
  await expect(check(page)).toContainText("1 of 2 recipients suppressed")
  await expect(check(page)).toContainText(`Nothing goes to ${gone}`)
  await expect(chips(page).filter({ hasText: gone })).toContainText("Suppressed")
  await expect(check(page)).toContainText("Sender verified")
  await expect(check(page)).toContainText("No text part")
  await expectAccessible(page)
  await check(page).getByRole("button", { name: "Make it from the HTML" }).click()
  await expect(page.getByRole("textbox", { name: "Text body" })).toHaveValue(/Hello\n+Read this/)
  await expect(check(page)).toContainText("HTML and text")
  await page.getByRole("textbox", { name: "From" }).fill("me@elsewhere.example")
  await expect(page.getByRole("combobox", { name: "Sender domain" })).toHaveValue("elsewhere.example")
  await expect(check(page)).toContainText("The sender's domain is not in this project")
  await page.getByRole("button", { name: "Send email" }).click()
  const open = page.getByRole("alertdialog").getByRole("list", { name: "Open checks" })
  await expect(open).toContainText("1 of 2 recipients suppressed")
  await expectAccessible(page)
  await confirm(page)
  await expect(page.getByText("The email was not sent.")).toBeVisible()
  await expectAccessible(page)
  expect(faults).toEqual([])
})

test("mail of a topic to a segment names who is excluded and why, and sent again it is still of that topic", async ({
  page,
}) => {
  const { faults } = watch(page)
  const { segmentId = "", topicId = "" } = own.ids
  const ask = async (path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${own.apiKey}`, ...(body ? { "content-type": "application/json" } : {}) }
    const answer = await fetch(`${own.baseUrl}/v1/projects/${own.projectId}/${path}`, {
      headers,
      ...(body ? { method: "POST", body: JSON.stringify(body) } : {}),
    })
    return (await answer.json()) as { contactCount?: number }
  }
  const left = "ada.king@lovelace.example"
  await ask("contacts", { email: left, firstName: "Ada", topics: [{ id: topicId, subscription: "opt_out" }] })
  await expect.poll(async () => (await ask(`segments/${segmentId}`)).contactCount, { timeout: 20_000 }).toBe(2)

  await test.step("who does not get the topic is counted and named before sending", async () => {
    await write(page, segmentId, "News of May")
    await expect(check(page)).toContainText("2 members of Named Ada")
    await page.getByRole("combobox", { name: /^Topic/ }).selectOption("News")
    await expect(check(page)).toContainText("1 member of Named Ada")
    await expect(check(page)).toContainText(`Excluded: 1 not opted in (${left}).`)
    await expect(check(page)).toContainText("Only subscribers of News")
    await expect(check(page)).toContainText("One-click unsubscribe")
    await page.locator("summary", { hasText: "More fields" }).click()
    await page.getByRole("combobox", { name: "Category" }).selectOption("Digest")
    await expectAccessible(page)
    await page.getByRole("button", { name: "Show as curl" }).click()
    await expect(page.getByRole("dialog")).toContainText(`"topicId": "${topicId}"`)
    await expect(page.getByRole("dialog")).toContainText('"sendTimeCategory": "digest"')
    await expect(page.getByRole("dialog")).toContainText(`/v1/projects/${own.projectId}/broadcasts`)
    await page.keyboard.press("Escape")
    await page.getByRole("button", { name: "Send email" }).click()
    await expect(page.getByRole("alertdialog", { name: "Send to 1 person?" })).toContainText("1 not opted in")
    await confirm(page)
    await expect(page.getByText("Sent to 1 person.")).toBeVisible({ timeout: 30_000 })
    await page.getByRole("link", { name: "Open its emails" }).click()
  })

  await test.step("sent again, it keeps topic and category; the command for it too", async () => {
    await page.getByRole("row").filter({ hasText: "News of May" }).getByRole("link").first().click()
    await expect(header(page)).toContainText("News of May")
    await page.getByRole("button", { name: "Show as curl" }).click()
    await expect(page.getByRole("dialog")).toContainText('"sendTimeCategory": "digest"')
    await page.keyboard.press("Escape")
    await page.getByRole("link", { name: "Send again" }).click()
    await expect(chips(page)).toHaveText(["ada@lovelace.example"])
    await expect(page.getByRole("combobox", { name: /^Topic/ })).toHaveValue(topicId)
    await page.locator("summary", { hasText: "More fields" }).click()
    await expect(page.getByRole("combobox", { name: "Category" })).toHaveValue("digest")
    await page.getByRole("textbox", { name: /^Subject/ }).fill("News of May, again")
    await page.getByRole("button", { name: "Send email" }).click()
    await expect(header(page)).toContainText("News of May, again")
    await expect(page.getByText("Digest", { exact: true })).toBeVisible()
    await expect(page.getByRole("link", { name: "News", exact: true })).toHaveAttribute(
      "href",
      new RegExp(`/topics/${topicId}$`),
    )
  })
  expect(faults).toEqual([])
})

test("what stands below the preview stays in its place while the preview comes", async ({ page }) => {
  await page.goto(`/projects/${own.projectId}/emails/compose`)
  await to(page).fill(own.ids.segmentId ?? "")
  let show = () => {}
  const held = new Promise<void>((resolve) => (show = resolve))
  await page.route("**/broadcasts/preview", async (route) => {
    await held
    await route.continue()
  })
  await tab(page, "HTML").click()
  await page.getByRole("textbox", { name: "HTML body" }).fill("<p>Hello</p>")
  await expect(check(page)).toContainText("No text part")
  await expect(page.getByText("Desktop, 600 px")).toBeVisible()
  const before = await check(page).boundingBox()
  show()
  await expect(page.getByRole("combobox", { name: "Person" })).toBeVisible()
  expect((await check(page).boundingBox())?.y).toBe(before?.y)
})

test("an email is run as a test, then scheduled, moved and cancelled, and at last sent and seen to arrive", async ({
  page,
}) => {
  const { faults } = watch(page)

  await test.step("test mode", async () => {
    await write(page, "ada@lovelace.example", "A rehearsal")
    await page.getByRole("switch", { name: /Test mode/ }).check()
    await page.getByRole("button", { name: "Show as curl" }).click()
    await expect(page.getByRole("dialog")).toContainText('"testMode": true')
    await page.keyboard.press("Escape")
    await page.getByRole("button", { name: "Run test" }).click()
    await expect(header(page)).toContainText("A rehearsal")
    await expect(header(page)).toContainText("Test", { timeout: 20_000 })
    await expect(page.getByText("This was a test: everything ran except delivery.")).toBeVisible()
    await expectAccessible(page)
  })

  await test.step("schedule", async () => {
    await write(page, "ada@lovelace.example", "For later")
    await page.getByRole("radio", { name: "Tomorrow, 09:00" }).check()
    await expect(check(page)).toContainText("Until then you can reschedule or cancel it.")
    await page.getByRole("radio", { name: "Pick a time" }).check()
    await page.getByLabel("Send at").fill(inMinutes(60))
    await expect(check(page)).toContainText("Until then you can reschedule or cancel it.")
    await expectAccessible(page)
    await page.getByRole("button", { name: "Schedule email" }).click()
    await expect(header(page)).toContainText("Scheduled")
    await expect(page.getByText("you can reschedule or cancel it", { exact: false })).toBeVisible()
  })

  await test.step("reschedule", async () => {
    await page.getByRole("button", { name: "Reschedule" }).click()
    const dialog = page.getByRole("dialog", { name: "Reschedule this email" })
    await dialog.getByLabel("Send at").fill("2020-01-01T00:00")
    await dialog.getByRole("button", { name: "Reschedule" }).click()
    await expect(dialog.getByLabel("Send at")).toHaveAttribute("aria-invalid", "true")
    await dialog.getByLabel("Send at").fill(inMinutes(120))
    await expectAccessible(page)
    await dialog.getByRole("button", { name: "Reschedule" }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByRole("list", { name: "What happened" })).toContainText("Rescheduled")
  })

  await test.step("cancel", async () => {
    await page.getByRole("button", { name: "Cancel email" }).click()
    const dialog = page.getByRole("alertdialog")
    await expect(dialog).toContainText("It will not be sent to ada@lovelace.example.")
    await dialog.getByRole("button", { name: "Cancel email" }).click()
    await expect(header(page)).toContainText("Cancelled")
    await expect(page.getByRole("button", { name: "Reschedule" })).toBeHidden()
  })

  await test.step("send it again, now, and watch it arrive", async () => {
    await page.getByRole("link", { name: "Send again" }).click()
    await expect(page.getByRole("textbox", { name: /^Subject/ })).toHaveValue("For later")
    await page.getByRole("textbox", { name: /^Subject/ }).fill("For now")
    await page.getByRole("button", { name: "Send email" }).click()
    await expect(header(page)).toContainText("For now")
    await expect(header(page)).toContainText("Delivered", { timeout: 20_000 })
    await page.getByRole("tab", { name: "SMTP session" }).click()
    await expect(page.getByRole("tabpanel")).toContainText("RCPT TO:<ada@lovelace.example>")
    await expectAccessible(page)
  })
  expect(faults).toEqual([])
})

test("what an address began is a draft after Back, and the form has its buttons however it is come to", async ({
  page,
}) => {
  const subject = page.getByRole("textbox", { name: /^Subject/ })
  const menu = page.getByRole("navigation", { name: "Main" })
  await page.goto(`/projects/${own.projectId}/emails/compose?to=${own.ids.segmentId}`)
  await subject.fill("To all of them")
  await expect(page.getByText(/^Draft, kept in this browser, saved at/)).toBeVisible()
  await menu.getByRole("link", { name: "Emails" }).click()
  await expect(page.getByRole("heading", { level: 1, name: "Emails" })).toBeVisible()
  await page.goBack()
  await expect(subject).toHaveValue("To all of them")
  await expect(page.getByRole("button", { name: "other draft" })).toHaveCount(0)
  // Its code is loaded by now: header and form come in the same moment.
  await expect(header(page).getByRole("button", { name: "Send me a test" })).toBeVisible()
  await menu.getByRole("link", { name: "Emails" }).click()
  await page.getByRole("link", { name: "Compose" }).first().click()
  await expect(subject).toHaveValue("To all of them")
  await expect(header(page).getByRole("button", { name: "Send me a test" })).toBeVisible()
})

test("a draft survives a reload, Back and another email, can be discarded and taken back, and is gone once it is sent", async ({
  page,
}) => {
  const { faults } = watch(page)
  const subject = page.getByRole("textbox", { name: /^Subject/ })
  const saved = page.getByText(/^Draft, kept in this browser, saved at/)

  await write(page, "ada@lovelace.example", "Kept")
  await expect(saved).toBeVisible()
  await page.reload()
  await expect(subject).toHaveValue("Kept")
  await expect(page.getByRole("heading", { level: 1, name: "Kept" })).toBeVisible()
  await expect(page.getByTitle("Preview, Desktop, 600 px").contentFrame().getByRole("heading")).toHaveText("Hello")
  await expectAccessible(page)
  await subject.fill("Kept, and the last word too")
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Domains" }).click()
  await expect(page.getByRole("heading", { level: 1, name: "Domains" })).toBeVisible()
  await page.goBack()
  await expect(subject).toHaveValue("Kept, and the last word too")

  await test.step("another email begins empty, and the first is one of the others", async () => {
    await page.getByRole("button", { name: "New email" }).click()
    await expect(subject).toHaveValue("")
    await page.getByRole("button", { name: "1 other draft" }).click()
    await page.getByRole("menuitem", { name: "Kept, and the last word too" }).click()
    await expect(subject).toHaveValue("Kept, and the last word too")
  })

  await test.step("discarded, and taken back", async () => {
    await page.getByRole("button", { name: "Discard" }).click()
    await expect(subject).toHaveValue("")
    await page.getByRole("button", { name: "Undo" }).click()
    await expect(subject).toHaveValue("Kept, and the last word too")
  })

  await test.step("a test goes to the signed-in person and leaves the draft; two clicks on Send make one email", async () => {
    await page.getByRole("button", { name: "Send me a test" }).click()
    await expect(page.getByText(`Test sent to ${own.email}`)).toBeVisible()
    await expect(subject).toHaveValue("Kept, and the last word too")
    await page.getByRole("button", { name: "Send email" }).dblclick()
    await expect(header(page)).toContainText("Kept, and the last word too")
    await expect(page.getByText("Email accepted")).toHaveCount(1)
    await page.goto(`/projects/${own.projectId}/emails?search=kept`)
    await expect(page.locator("tr[data-email]")).toHaveCount(2)
    await page.goto(`/projects/${own.projectId}/emails/compose`)
    await expect(subject).toHaveValue("")
  })
  expect(faults).toEqual([])
})

test("who leaves files behind, or an email that the browser has no room for, is asked", async ({ page }) => {
  const subject = page.getByRole("textbox", { name: /^Subject/ })
  const question = page.getByRole("alertdialog", { name: "Leave without saving?" })
  const leave = () => page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Domains" }).click()

  await test.step("files are not part of a draft", async () => {
    await write(page, "ada@lovelace.example", "With a file", { withText: false })
    await page.getByRole("button", { name: "Attach files" }).click()
    const buffer = Buffer.from("Paid")
    await page.getByLabel("Files to attach").setInputFiles({ name: "receipt.txt", mimeType: "text/plain", buffer })
    await expect(page.getByText(/^Draft, kept in this browser without its files, saved at/)).toBeVisible()
    await leave()
    await question.getByRole("button", { name: "Cancel" }).click()
    await page.getByRole("button", { name: "Remove receipt.txt" }).click()
    await expect(page.getByText(/^Draft, kept in this browser, saved at/)).toBeVisible()
    await leave()
    await expect(page.getByRole("heading", { level: 1, name: "Domains" })).toBeVisible()
  })

  await test.step("an email that is kept nowhere", async () => {
    await page.goBack()
    await expect(subject).toHaveValue("With a file")
    await page.evaluate(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException("There is no room.", "QuotaExceededError")
      }
    })
    await subject.fill("Too much")
    await expect(page.getByText("Not saved: the browser's storage is full")).toBeVisible()
    await leave()
    await question.getByRole("button", { name: "Leave" }).click()
    await expect(page.getByRole("heading", { level: 1, name: "Domains" })).toBeVisible()
  })
})

test("a draft that is open in two tabs becomes two once both are written in", async ({ page, context }) => {
  const subjectIn = (tab: Page) => tab.getByRole("textbox", { name: /^Subject/ })
  const savedIn = (tab: Page) => tab.getByText(/^Draft, kept in this browser, saved at/)
  await write(page, "ada@lovelace.example", "In two tabs", { withText: false })
  await expect(savedIn(page)).toBeVisible()
  const other = await context.newPage()
  await other.goto(`/projects/${own.projectId}/emails/compose`)
  await expect(subjectIn(other)).toHaveValue("In two tabs")
  await subjectIn(other).fill("Written in the other")
  await expect(header(other)).toContainText("Written in the other")
  await expect(savedIn(other)).toBeVisible()
  const kept = (tab: Page) => tab.evaluate((key) => localStorage.getItem(key) ?? "", `mailroom.drafts.${own.projectId}`)
  await expect.poll(() => kept(page), "what is kept").toContain("Written in the other")
  await subjectIn(page).fill("Written in the first")
  await expect.poll(() => kept(page), "what is kept").toContain("Written in the first")
  expect(await kept(page), "what is kept").toContain("Written in the other")
  await page.getByRole("button", { name: "1 other draft" }).click()
  await expect(page.getByRole("menuitem", { name: "Written in the other" })).toBeVisible()
})

test("recipients are chips: suggested, pasted, edited and removed by keyboard, an invalid one with its reason", async ({
  page,
  context,
}) => {
  const { faults } = watch(page)
  await context.grantPermissions(["clipboard-read", "clipboard-write"])
  await page.goto(`/projects/${own.projectId}/emails/compose`)

  await test.step("a contact is suggested by a part of its address, and taken by Enter", async () => {
    await to(page).fill("ada@love")
    const option = options(page).first()
    await expect(option).toContainText("ada@lovelace.example")
    await page.keyboard.press("ArrowDown")
    await expect(option).toHaveAttribute("aria-selected", "true")
    await expectAccessible(page)
    await page.keyboard.press("Enter")
    await expect(chips(page)).toHaveCount(1)
    await expect(chips(page)).toContainText("ada@lovelace.example")
    await expect(to(page)).toHaveValue("")
  })

  await test.step("many are pasted at once, each once", async () => {
    await page.evaluate(() =>
      navigator.clipboard.writeText(
        'Grace Hopper <grace@navy.example>; "Hopper, G" <g@navy.example>\nno address\ng2@navy.example',
      ),
    )
    await to(page).press("ControlOrMeta+v")
    await to(page).press("ControlOrMeta+v")
    await expect(chips(page)).toHaveCount(5)
    const invalid = chips(page).filter({ hasText: "no address" })
    await expect(invalid).toContainText("Not an address")
    await invalid.hover()
    await expect(page.getByRole("tooltip")).toContainText("local@domain")
    await expectAccessible(page)
  })

  await test.step("the arrow key goes to them, Enter edits one, Backspace removes one", async () => {
    await to(page).focus()
    await page.keyboard.press("ArrowLeft")
    await expect(chips(page).last()).toBeFocused()
    await page.keyboard.press("ArrowLeft")
    await page.keyboard.press("Enter")
    await expect(to(page)).toBeFocused()
    await expect(to(page)).toHaveValue("no address")
    await to(page).fill("yes@navy.example")
    await page.keyboard.press("Tab")
    await expect(chips(page).last()).toHaveText("yes@navy.example")
    await to(page).focus()
    await page.keyboard.press("Backspace")
    await page.keyboard.press("Backspace")
    await expect(chips(page)).toHaveCount(4)
    await expect(to(page)).toBeFocused()
    await page.getByRole("button", { name: "Remove Grace Hopper" }).click()
    await expect(chips(page)).toHaveCount(3)
  })

  await test.step("what is still being typed is sent and kept as well", async () => {
    await to(page).fill("half@navy.exam")
    await expect(page.getByText(/^Draft, kept in this browser, saved at/)).toBeVisible()
    await page.reload()
    await expect(chips(page).last()).toHaveText("half@navy.exam")
    await expect(chips(page)).toHaveCount(4)
  })
  expect(faults).toEqual([])
})

test("a segment is chosen among the suggestions and closes the field to copies; a sender by name and a part before the @", async ({
  page,
}) => {
  const { faults } = watch(page)
  await page.goto(`/projects/${own.projectId}/emails/compose`)
  await to(page).fill("Named")
  await options(page)
    .filter({ hasText: /Named Ada.*Segment/ })
    .click()
  await expect(chips(page)).toHaveText("Named Ada")
  await expect(page.getByText("this becomes a broadcast")).toBeVisible()
  await expect(page.getByRole("button", { name: "Add Cc" })).toHaveCount(0)
  await expect(check(page)).toContainText("of Named Ada")

  await page.getByRole("textbox", { name: "Sender name" }).fill("Acme, Inc.")
  await page.getByRole("textbox", { name: "From" }).fill("news")
  await expect(check(page)).toContainText("Sender verified")
  await page.getByRole("button", { name: "Show as curl" }).click()
  await expect(page.getByRole("dialog")).toContainText(/Acme, Inc\..*<news@compose\d+\.test>/)
  await page.keyboard.press("Escape")
  await page.getByRole("combobox", { name: "Senders used before" }).selectOption({ index: 1 })
  await expect(page.getByRole("textbox", { name: "From" })).toHaveValue("hello")
  await expectAccessible(page)
  expect(faults).toEqual([])
})

test("what is written becomes HTML and text, the text follows until it is edited, and HTML by hand is not overwritten", async ({
  page,
}) => {
  const { faults } = watch(page)
  await page.goto(`/projects/${own.projectId}/emails/compose`)
  const message = page.getByRole("textbox", { name: "Message" })
  const preview = page.getByTitle("Preview, Desktop, 600 px").contentFrame()
  await message.fill("Hi Ada,\n\n- One <b>thing</b>\n- [Your account](https://example.com/a)")
  await expect(preview.getByRole("listitem")).toHaveText(["One <b>thing</b>", "Your account"])
  await expectAccessible(page)

  await test.step("marks by button and key", async () => {
    await message.press("ControlOrMeta+End")
    await message.pressSequentially("\n\nBye")
    await message.press("Shift+ControlOrMeta+ArrowLeft")
    await message.press("ControlOrMeta+b")
    await expect(preview.locator("strong")).toHaveText("Bye")
    await page.getByRole("group", { name: "Format" }).getByRole("button", { name: "Heading" }).click()
    await expect(preview.getByRole("heading")).toHaveText("Bye")
  })

  await test.step("a button has a line of its own, and its address is typed next", async () => {
    await message.press("ControlOrMeta+End")
    await page.getByRole("group", { name: "Format" }).getByRole("button", { name: "Button" }).click()
    await expect(message).toBeFocused()
    await page.keyboard.type("https://example.com/b")
    await expect(preview.getByTitle("https://example.com/b")).toHaveText("Open it")
  })

  await test.step("the text follows until it is edited", async () => {
    await tab(page, "Text").click()
    const text = page.getByRole("textbox", { name: "Text body" })
    await expect(text).toHaveValue(/^Hi Ada,\n\n- One <b>thing<\/b>\n- Your account \(https:\/\/example\.com\/a\)/)
    await text.fill("My own text")
    await tab(page, "Write").click()
    await message.fill("Another message")
    await tab(page, "Text").click()
    await expect(text).toHaveValue("My own text")
    await page.getByRole("button", { name: "Follow again" }).click()
    await expect(text).toHaveValue("Another message")
  })

  await test.step("HTML by hand stays until somebody begins anew, which can be taken back", async () => {
    await tab(page, "HTML").click()
    await page.getByRole("textbox", { name: "HTML body" }).fill("<h1>By hand</h1>")
    await tab(page, "Write").click()
    await expect(message).toHaveCount(0)
    await expectAccessible(page)
    await page.getByRole("button", { name: "Start from its text" }).click()
    await expect(message).toHaveValue("Another message")
    await page.getByRole("button", { name: "Undo" }).click()
    await expect(page.getByText("The HTML was edited by hand")).toBeVisible()
    await expect(preview.getByRole("heading")).toHaveText("By hand")
  })
  expect(faults).toEqual([])
})

test("a segment and a topic lead to Compose with them as the recipients, and a reload keeps what was written", async ({
  page,
}) => {
  const { segmentId = "", topicId = "" } = own.ids
  await page.goto(`/projects/${own.projectId}/topics/${topicId}`)
  await page.getByRole("link", { name: "Write to topic" }).click()
  await expect(chips(page)).toHaveText("News")
  await page.goto(`/projects/${own.projectId}/segments/${segmentId}`)
  await page.getByRole("link", { name: "Write to segment" }).click()
  await expect(chips(page)).toHaveText("Named Ada")
  await page.getByRole("textbox", { name: /^Subject/ }).fill("To all Adas")
  await expect(page.getByText(/^Draft, kept in this browser, saved at/)).toBeVisible()
  await page.reload()
  await expect(page.getByRole("textbox", { name: /^Subject/ })).toHaveValue("To all Adas")
  await expect(chips(page)).toHaveText("Named Ada")
})
