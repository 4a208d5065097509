import { expect, test, type Page, type Route } from "@playwright/test"
import { expectAccessible, watch } from "@/e2e/support/browser"
import { createSampleOrganization, type SampleOrganization } from "@/e2e/support/sample-organization"
import { becomeOwner, productDatabase } from "@/e2e/support/signed-in"
import { decodeId } from "@/lib/platform/ids"

let own: SampleOrganization

test.beforeAll(async ({ browserName: _browser }, info) => {
  own = await createSampleOrganization(`leaving-${info.workerIndex}`)
})

test.beforeEach(({ context }) => becomeOwner(context, own))

const goTo = (page: Page, name: string) => page.getByRole("navigation", { name: "Main" }).getByRole("link", { name })
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name })
const open = (page: Page, path = "") => page.goto(`/projects/${own.projectId}${path}`)

/** Unless it is open: a press right after the page was loaded can come before the menu listens, and a scroll closes it. */
async function openAccountMenu(page: Page) {
  const items = page.getByRole("menu")
  await expect(async () => {
    if (!(await items.isVisible())) await page.getByRole("button", { name: /^Account of/ }).click()
    await expect(items).toBeVisible({ timeout: 5_000 })
  }).toPass()
}

/** A person has touched the page, and what watches its links is there. */
async function ready(page: Page) {
  await expect(goTo(page, "Domains")).toHaveText("Domains1")
  await expect(async () => {
    // A headless browser that draws nothing new may keep the moves of a mouse to itself.
    await page.mouse.move(700, 400)
    await page.keyboard.press("Shift")
    await expect(page.locator("main [data-ways]")).toBeAttached({ timeout: 1_000 })
  }).toPass()
}

test("a click on the navigation shows within 100 ms, however slow the answer is", async ({ page }) => {
  const { faults } = watch(page)
  await open(page, "/topics")
  await ready(page)
  let answer = () => undefined as void
  const asked = new Promise<void>((resolve) => (answer = resolve))
  await page.route(/\/domains\?_rsc/, async (route) => {
    await asked
    await route.continue()
  })
  // Measured in the page: the way from the test to the browser is no part of what a person feels.
  const felt = await page.evaluate(() => {
    const link = [...document.querySelectorAll<HTMLAnchorElement>("nav a")].find(({ href }) =>
      href.endsWith("/domains"),
    )
    const since = performance.now()
    return new Promise<{ pressed: number; placeholder: number }>((resolve) => {
      let pressed = 0
      const look = () => {
        if (!pressed && link?.className.includes("bg-panel")) pressed = performance.now() - since
        const placeholder = document.querySelector("main [aria-label='Loading the page']")
        if (placeholder) resolve({ pressed, placeholder: performance.now() - since })
        else requestAnimationFrame(look)
      }
      link?.click()
      look()
    })
  })
  expect(felt.pressed).toBeGreaterThan(0)
  expect(felt.pressed).toBeLessThan(100)
  await expectAccessible(page)
  answer()
  await expect(heading(page, "Domains")).toBeVisible()
  await expect(page.getByRole("status", { name: "Loading the page" })).toHaveCount(0)
  expect(faults).toEqual([])
})

test("a row that is opened is marked at once, before anything that covers the page is loaded", async ({ page }) => {
  await open(page, "/domains")
  const row = page.getByRole("table", { name: "Domains" }).locator("tr[data-row]")
  await expect(row).toHaveCount(1)
  let answer = () => undefined as void
  const asked = new Promise<void>((resolve) => (answer = resolve))
  await page.route(/\/domains\/dom_\w+\?_rsc/, async (route) => {
    await asked
    await route.continue()
  })
  await expect(async () => {
    await row.evaluate((element: HTMLElement) => element.click())
    await expect(row).toHaveClass(/(^| )bg-wait-soft( |$)/, { timeout: 1_000 })
  }).toPass()
  answer()
  await expect(page.getByRole("heading", { level: 1, name: /\.test$/ })).toBeVisible()
})

test("a form with changes asks before its page is left, by a link, the keyboard or Back", async ({ page }) => {
  await open(page, "/contacts")
  await goTo(page, "Topics").click()
  await expect(heading(page, "Topics")).toBeVisible()
  await open(page, `/contacts/${own.ids.contactId}`)
  const name = page.getByRole("textbox", { name: "First name" })
  await name.fill("Augusta")
  await expect(page.getByRole("region", { name: "Profile" }).getByRole("button", { name: "Save" })).toBeEnabled()
  await goTo(page, "Domains").click()
  const question = page.getByRole("alertdialog", { name: "Save your changes?" })
  await expect(question).toBeVisible()
  await expectAccessible(page)
  await question.getByRole("button", { name: "Cancel" }).click()
  await expect(name).toHaveValue("Augusta")
  await goTo(page, "Docs").click()
  await question.getByRole("button", { name: "Cancel" }).click()
  await expect(name).toHaveValue("Augusta")
  await goTo(page, "Domains").click()
  await question.getByRole("button", { name: "Leave without saving" }).click()
  await expect(heading(page, "Domains")).toBeVisible()
  await open(page, `/contacts/${own.ids.contactId}`)
  await expect(name).toHaveValue("Ada")
})

test("what is left can be saved on the way out, and stays with its fault where that is refused", async ({ page }) => {
  await open(page, `/contacts/${own.ids.contactId}`)
  const profile = page.getByRole("region", { name: "Profile" })
  const phone = profile.getByRole("textbox", { name: "Phone" })
  const question = page.getByRole("alertdialog", { name: "Save your changes?" })
  await page.route(`**/contacts/${own.ids.contactId}`, (route) =>
    route.request().method() === "PATCH" ? route.abort() : route.fallback(),
  )
  await phone.fill("+353 1 555 0199")
  await expect(profile.getByRole("button", { name: "Save" })).toBeEnabled()
  await goTo(page, "Domains").click()
  await question.getByRole("button", { name: "Save and leave" }).click()
  await expect(question).toBeHidden()
  await expect(profile.getByRole("alert")).toBeVisible()
  await expect(phone).toHaveValue("+353 1 555 0199")
  await expect(heading(page, "Domains")).toHaveCount(0)
  await page.unrouteAll({ behavior: "ignoreErrors" })

  await phone.fill("+353 1 555 0199")
  await expect(profile.getByRole("button", { name: "Save" })).toBeEnabled()
  await goTo(page, "Domains").click()
  await question.getByRole("button", { name: "Save and leave" }).click()
  await expect(heading(page, "Domains")).toBeVisible()
  await open(page, `/contacts/${own.ids.contactId}`)
  await expect(phone).toHaveValue("+353 1 555 0199")
})

test("what is typed while a form is saved is kept, is not saved yet, and asks before its page is left", async ({
  page,
}) => {
  await open(page, `/topics/${own.ids.topicId}`)
  const about = page.getByRole("region", { name: "About" })
  const name = about.getByRole("textbox", { name: "Name" })
  const description = about.getByRole("textbox", { name: "Description" })
  const save = about.getByRole("button", { name: "Save" })
  const sent: Route[] = []
  await page.route(`**/topics/${own.ids.topicId}`, (route) =>
    route.request().method() === "PATCH" ? void sent.push(route) : route.fallback(),
  )
  await name.fill("Saved first")
  await save.click()
  await expect.poll(() => sent.length, "requests that save").toBe(1)
  await description.fill("Typed meanwhile")
  await sent[0]?.continue()
  await expect(page.getByText("Saved", { exact: true })).toBeVisible()
  await expect(heading(page, "Saved first")).toBeVisible()
  await expect(name, "what was sent").toHaveValue("Saved first")
  await expect(description, "what was typed while it was saved").toHaveValue("Typed meanwhile")
  await expect(save, "the rest can be saved").toBeEnabled()
  await goTo(page, "Domains").click()
  await expect(page.getByRole("alertdialog", { name: "Save your changes?" })).toBeVisible()
  await page.unrouteAll({ behavior: "ignoreErrors" })
})

test("the Tab key comes from the last field to Save, and then to Discard", async ({ page }) => {
  await open(page, `/contacts/${own.ids.contactId}`)
  const profile = page.getByRole("region", { name: "Profile" })
  const phone = profile.getByRole("textbox", { name: "Phone" })
  await expect(phone).toBeEditable()
  await phone.fill("+353 1 555 0100")
  await expect(profile.getByRole("button", { name: "Save" })).toBeVisible()
  await phone.press("Tab")
  await expect(profile.getByRole("button", { name: "Save" })).toBeFocused()
  await page.keyboard.press("Tab")
  await expect(profile.getByRole("button", { name: "Discard" })).toBeFocused()
})

test("a second press while the page of a new thing is on its way creates nothing again", async ({ page }) => {
  await open(page, "/topics")
  await ready(page)
  await page.route(/\/topics\/top_\w+\?_rsc/, () => undefined)
  const created: string[] = []
  page.on("request", (request) => {
    if (request.method() === "POST" && /\/v1\/projects\/\w+\/topics$/.test(request.url())) created.push(request.url())
  })
  await page.getByRole("button", { name: "Create topic" }).click()
  const dialog = page.getByRole("dialog", { name: "Create topic" })
  await dialog.getByRole("textbox", { name: "Name" }).fill("Twice")
  const answered = page.waitForResponse((response) => response.request().method() === "POST" && response.ok())
  await dialog.getByRole("button", { name: "Create topic" }).dblclick()
  await answered
  await page.waitForTimeout(300)
  await dialog.getByRole("textbox", { name: "Name" }).press("Enter")
  await page.waitForTimeout(300)
  expect(created).toHaveLength(1)
  await page.unrouteAll({ behavior: "ignoreErrors" })
})

test("whoever closes a form while it is saved and goes elsewhere stays there", async ({ page }) => {
  await open(page, "/topics")
  await ready(page)
  const sent: Route[] = []
  await page.route(/\/topics$/, (route) =>
    route.request().method() === "POST" ? void sent.push(route) : route.fallback(),
  )
  await page.getByRole("button", { name: "Create topic" }).click()
  const dialog = page.getByRole("dialog", { name: "Create topic" })
  await dialog.getByRole("textbox", { name: "Name" }).fill("Made late")
  await dialog.getByRole("button", { name: "Create topic" }).click()
  await expect.poll(() => sent.length, "requests that create").toBe(1)
  await dialog.getByRole("button", { name: "Cancel" }).click()
  await goTo(page, "Domains").click()
  await expect(heading(page, "Domains")).toBeVisible()
  const answered = page.waitForResponse((one) => one.request().method() === "POST" && one.ok())
  await sent[0]?.continue()
  await answered
  await page.waitForTimeout(1_000)
  await expect(page, "the page that was gone to").toHaveURL(/\/domains$/)
  await page.unrouteAll({ behavior: "ignoreErrors" })
})

test("a double click makes one copy of a broadcast, and one test address", async ({ page }) => {
  const once = [
    { path: `/broadcasts/${own.ids.broadcastId}`, button: "Duplicate", asks: /\/duplicate$/ },
    { path: "/inbound", button: "Create test address", asks: /\/inbound-routes$/ },
  ]
  for (const { path, button, asks } of once) {
    await open(page, path)
    await ready(page)
    let asked = 0
    await page.route(asks, async (route) => {
      if (route.request().method() === "POST") asked += 1
      await route.fallback()
    })
    const answered = page.waitForResponse((one) => one.request().method() === "POST" && asks.test(one.url()))
    await page.getByRole("button", { name: button }).dblclick()
    await answered
    await page.waitForTimeout(300)
    expect(asked, `requests of ${button}`).toBe(1)
    await page.unroute(asks)
  }
})

test("a webhook without events is not created, says so, and keeps what was typed", async ({ page }) => {
  await open(page, "/webhooks/new")
  await ready(page)
  const url = page.getByRole("textbox", { name: "Endpoint URL" })
  await url.fill("https://example.com/hooks")
  for (const type of ["email.delivered", "email.bounced", "email.complained"])
    await page.getByText(type, { exact: true }).click()
  await page.getByRole("button", { name: "Create webhook" }).click()
  await expect(page.getByRole("alert").filter({ hasText: "Choose at least one event type." })).toBeVisible()
  await expect(url).toHaveValue("https://example.com/hooks")
  await goTo(page, "Domains").click()
  await expect(page.getByRole("alertdialog", { name: "Leave without saving?" })).toBeVisible()
})

test("a filter of a webhook and the switch of a topic ask before their page is left too", async ({ page, context }) => {
  const question = page.getByRole("alertdialog")
  await open(page, `/webhooks/${own.ids.endpointId}/edit`)
  await ready(page)
  await page.getByRole("button", { name: "Add filter" }).click()
  await goTo(page, "Domains").click()
  await expect(question, "a filter of a webhook").toHaveAccessibleName("Leave without saving?")
  await question.getByRole("button", { name: "Cancel" }).click()
  await expect(page.getByRole("group", { name: "Filter 1" })).toBeVisible()

  const other = await context.newPage()
  await open(other, `/topics/${own.ids.topicId}`)
  await ready(other)
  await other.getByRole("switch", { name: "Public" }).uncheck()
  await goTo(other, "Domains").click()
  await expect(other.getByRole("alertdialog"), "the switch of a topic").toHaveAccessibleName("Save your changes?")
  const saved = other.waitForRequest((request) => request.method() === "PATCH")
  await other.getByRole("button", { name: "Save and leave" }).click()
  expect((await saved).postDataJSON()).toMatchObject({ visibility: "private" })
})

test("what is switched while another switch is being saved is saved too, and the focus stays where it was", async ({
  page,
}) => {
  await open(page, "/settings")
  await ready(page)
  const [clicks, opens] = ["Clicks", "Opens"].map((name) => page.getByRole("switch", { name: new RegExp(`^${name}`) }))
  if (!clicks || !opens) throw new Error("The page has both.")
  const [sent, answered]: [Route[], number[]] = [[], []]
  const path = `/v1/projects/${own.projectId}`
  page.on("response", (response) => {
    if (response.request().method() === "PATCH") answered.push(response.status())
  })
  await page.route(`**${path}`, (route) =>
    route.request().method() === "PATCH" ? void sent.push(route) : route.fallback(),
  )
  await clicks.focus()
  await page.keyboard.press("Space")
  await expect.poll(() => sent.length, "requests that save").toBe(1)
  await opens.click()
  await expect(opens).toBeChecked()
  await sent[0]?.continue()
  await expect.poll(() => sent.length, "requests that save").toBe(2)
  await sent[1]?.continue()
  await expect.poll(() => answered, "answers").toEqual([200, 200])
  await expect(opens, "the switch that was pressed last").toBeFocused()
  await page.unrouteAll({ behavior: "ignoreErrors" })
  await page.reload()
  await expect(opens).toBeChecked()
  await expect(clicks, "the switch that was pressed first").toBeChecked()
})

test("a name is confirmed as it is read: several spaces are one, and accents are those of any keyboard", async ({
  page,
}) => {
  const made = await fetch(`${own.baseUrl}/v1/projects/${own.projectId}/topics`, {
    method: "POST",
    headers: { authorization: `Bearer ${own.apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ name: "Bu\u0308cher  2026", defaultSubscription: "opt_out", visibility: "private" }),
  })
  const { id } = await made.json()
  await open(page, `/topics/${id}`)
  await ready(page)
  await page.getByRole("button", { name: "Delete topic" }).click()
  const question = page.getByRole("alertdialog")
  await question.getByRole("textbox").fill("Bücher 202")
  await expect(question.getByRole("button", { name: "Delete topic" })).toBeDisabled()
  await question.getByRole("textbox").fill("Bücher 2026")
  await question.getByRole("button", { name: "Delete topic" }).click()
  await expect(heading(page, "Topics")).toBeVisible()
})

test("a press that begins in a dialog and ends beside it does not close the dialog", async ({ page }) => {
  await open(page, "/topics")
  await ready(page)
  await page.getByRole("button", { name: "Create topic" }).click()
  const dialog = page.getByRole("dialog", { name: "Create topic" })
  const name = dialog.getByRole("textbox", { name: "Name" })
  await name.fill("Spring")
  await name.hover()
  await page.mouse.down()
  await page.mouse.move(10, 10)
  await page.mouse.up()
  await expect(name).toHaveValue("Spring")
  await page.mouse.click(10, 10)
  await expect(dialog).toBeHidden()
})

test("an ended session is said, and what was typed is saved once the person has signed in again", async ({
  page,
  context,
}) => {
  const { projectId, ids, email, password } = own
  await open(page, `/contacts/${ids.contactId}`)
  await ready(page)
  const profile = page.getByRole("region", { name: "Profile" })
  const company = profile.getByRole("textbox", { name: "Last name" })
  await company.fill("Byron")
  await expect(profile.getByRole("button", { name: "Save" })).toBeEnabled()
  // As by signing out in another tab; the session itself serves other tests.
  await context.clearCookies()
  await profile.getByRole("button", { name: "Save" }).click()
  await expect(profile.getByRole("alert")).toContainText("You are signed out. Sign in again.")
  await expect(page.getByRole("main")).not.toContainText("API key")
  const note = page.getByRole("alert").filter({ hasText: "This page keeps everything you typed." })
  await expect(note).toBeVisible()
  await expectAccessible(page)

  const opened = context.waitForEvent("page")
  await note.getByRole("link", { name: "Sign in in a new tab" }).click()
  const other = await opened
  await other.getByLabel("Email address").fill(email)
  await other.getByLabel("Password").fill(password)
  await other.getByRole("button", { name: "Sign in", exact: true }).click()
  await expect(other).toHaveURL(new RegExp(`/projects/${projectId}/contacts/${ids.contactId}$`))

  await page.bringToFront()
  await expect(company).toHaveValue("Byron")
  await profile.getByRole("button", { name: "Save" }).click()
  await expect(page.getByText("Saved", { exact: true })).toBeVisible()
  await expect(note).toBeHidden()
})

test("a page of something that is not there has a heading and a way back, and offers no second try", async ({
  page,
}) => {
  for (const [path, name] of [
    ["contacts/con_00000000000000000000000000", "Contact"],
    ["topics/top_00000000000000000000000000", "Topic"],
    ["segments/seg_00000000000000000000000000", "Segment"],
    ["webhooks/whk_00000000000000000000000000", "Webhook"],
    ["broadcasts/bc_00000000000000000000000000", "Broadcast"],
  ] as const) {
    await open(page, `/${path}`)
    await expect(heading(page, name)).toBeVisible()
    await expect(page.getByText(`${name} not found in this project`)).toBeVisible()
    await expect(page.getByRole("link", { name: `All ${name.toLowerCase()}s` })).toBeVisible()
    await expect(page.getByRole("button", { name: "Try again" })).toHaveCount(0)
    await expect(page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link")).toBeVisible()
    await expectAccessible(page)
  }
})

test("without a connection the page stays, and what was clicked opens once it is back", async ({ page, context }) => {
  await open(page, `/contacts/${own.ids.contactId}`)
  const name = page.getByRole("textbox", { name: "First name" })
  await expect(name).toBeEditable()
  await ready(page)
  await context.setOffline(true)
  await expect(page.getByText("You are offline.")).toBeVisible()
  await goTo(page, "Domains").click()
  await expect(page.getByText("The page opens when you are back online.")).toBeVisible()
  await expect(name).toBeVisible()
  await expectAccessible(page)
  await context.setOffline(false)
  await expect(heading(page, "Domains")).toBeVisible()
})

test("without a connection a write fails at once, and is not carried out once it is back", async ({
  page,
  context,
}) => {
  const read = () =>
    fetch(`${own.baseUrl}/v1/projects/${own.projectId}/contacts/${own.ids.contactId}`, {
      headers: { authorization: `Bearer ${own.apiKey}` },
    })
  const { email } = (await (await read()).json()) as { email: string }
  await open(page, `/contacts/${own.ids.contactId}`)
  await ready(page)
  await page.getByRole("button", { name: "Delete contact" }).click()
  const question = page.getByRole("alertdialog", { name: `Delete ${email}?` })
  await question.getByRole("textbox").fill(email)
  await context.setOffline(true)
  await expect(page.getByText("You are offline.")).toBeVisible()
  await question.getByRole("button", { name: "Delete contact" }).click()
  await expect(question.getByRole("alert")).toHaveText("The service is unreachable")
  await question.getByRole("button", { name: "Cancel" }).click()
  const sent: string[] = []
  page.on("request", (request) => void sent.push(request.method()))
  await context.setOffline(false)
  await expect(page.getByText("You are offline.")).toHaveCount(0)
  expect((await read()).status, "the answer for the contact, which still exists").toBe(200)
  expect(sent, "the methods of what the page asked since").not.toContain("DELETE")
})

/** More readers than a list shows at once. */
async function addReaders(name: string) {
  const database = await productDatabase()
  await database.query(
    `INSERT INTO contacts (id, project_id, email)
      SELECT gen_random_uuid(), $1, $2 || '-' || n || '@lovelace.example' FROM generate_series(1, 700) AS n`,
    [decodeId("proj", own.projectId), name],
  )
  await database.end()
}

test("a long list that is scrolled before its code has come stays where it is", async ({ page }) => {
  await addReaders("early")
  let release = () => {}
  const code = new Promise<void>((resolve) => (release = resolve))
  const held: string[] = []
  await page.route("**/_next/static/chunks/**", async (route) => {
    const response = await route.fetch()
    const body = await response.text()
    if (body.includes("getVirtualItems")) {
      held.push(route.request().url())
      await code
    }
    await route.fulfill({ response, body })
  })
  // Not until "load", which waits for what is held if that is asked for early.
  await page.goto(`/projects/${own.projectId}/contacts`, { waitUntil: "domcontentloaded" })
  const frame = page.getByRole("region", { name: "Contacts, newest first" })
  const rows = frame.locator("[data-row]")
  await expect.poll(() => held.length).toBeGreaterThan(0)
  const shown = await rows.count()
  await frame.evaluate((element) => (element.scrollTop = 700))
  release()
  // The code has come once it has asked for the rows after the first page, or draws fewer than all.
  await expect(rows).not.toHaveCount(shown)
  expect(await frame.evaluate(({ scrollTop }) => scrollTop)).toBe(700)
})

test("Back focuses what was opened, and returns to the place in a long list", async ({ page }) => {
  await addReaders("reader")
  await open(page, "/contacts")
  const frame = page.getByRole("region", { name: "Contacts, newest first" })
  await expect(async () => {
    await frame.evaluate((element) => (element.scrollTop = 25_000))
    expect(await frame.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(24_990)
  }).toPass({ timeout: 60_000 })
  // The list scrolls in itself, and the document does not scroll into emptiness.
  expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBeLessThanOrEqual(0)
  const box = await frame.boundingBox()
  await page.mouse.click((box?.x ?? 0) + 40, (box?.y ?? 0) + 300)
  await expect(heading(page, "@lovelace.example")).toBeVisible()
  const address = await page.getByRole("heading", { level: 1 }).innerText()
  await page.goBack()
  await expect.poll(() => frame.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(24_900)
  await expect(page.locator("[data-row]:focus")).toContainText(address)
})

test("the side bar counts what there is, and the theme chosen in the account menu is kept and shown in every tab", async ({
  page,
  context,
}) => {
  await open(page, "/domains")
  await expect(goTo(page, "Domains")).toHaveText("Domains1")
  await expect(goTo(page, "Live")).toHaveText("Live")
  await openAccountMenu(page)
  await expectAccessible(page)
  const other = await context.newPage()
  await other.goto(page.url())
  await expect(goTo(other, "Domains")).toHaveText("Domains1")
  await page.bringToFront()
  await page.emulateMedia({ colorScheme: "light" })
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const light = await background()
  await openAccountMenu(page)
  await page.getByRole("menuitemradio", { name: "Dark" }).click()
  await expect(page.locator("html")).toHaveClass("dark")
  await expect(other.locator("html")).toHaveClass("dark")
  const dark = await background()
  expect(dark).not.toBe(light)
  // The server knows it: no frame is painted in the other theme.
  expect(await (await page.request.get(page.url())).text()).toContain('<html lang="en" class="dark">')
  await page.reload()
  expect(await background()).toBe(dark)

  await openAccountMenu(page)
  await page.getByRole("menuitemradio", { name: "System" }).click()
  await expect(page.locator("html")).not.toHaveClass(/dark/)
  expect(await background()).toBe(light)
  await page.emulateMedia({ colorScheme: "dark" })
  expect(await background()).toBe(dark)
})
