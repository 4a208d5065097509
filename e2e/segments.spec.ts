import { expect, test, type Page, type Route } from "@playwright/test"
import { expectAccessible, watch } from "@/e2e/support/browser"
import { createSampleOrganization, type SampleOrganization } from "@/e2e/support/sample-organization"
import { becomeOwner, productDatabase } from "@/e2e/support/signed-in"
import { decodeId } from "@/lib/platform/ids"

const people = 5_200

let own: SampleOrganization

test.beforeAll(async () => {
  own = await createSampleOrganization("segments")
  const database = await productDatabase()
  await database.query(
    `INSERT INTO contacts (id, project_id, email, first_name)
      SELECT gen_random_uuid(), $1, 'p' || n || '@x.example', CASE WHEN n % 2 = 0 THEN 'Even' ELSE 'Odd' END FROM generate_series(1, $2::int) AS n`,
    [decodeId("proj", own.projectId), people],
  )
  await database.end()
})

async function open(page: Page, path: string) {
  await becomeOwner(page.context(), own)
  await page.goto(`/projects/${own.projectId}/${path}`)
}

test("a segment is built, shows its conditions, lists 5,000 members and explains why a contact is a member or not", async ({
  page,
}) => {
  const { faults } = watch(page)
  await open(page, "segments")
  await expect(page.getByRole("table", { name: "Segments" })).toContainText("First name is “Ada”")
  await expectAccessible(page)
  await page.getByRole("link", { name: "Create segment" }).first().click()

  await page.getByLabel("Name").fill("Everybody at X")
  await page.getByLabel("Field").selectOption({ label: "Email" })
  await page.getByLabel("Comparison").selectOption({ label: "ends with" })
  await page.getByLabel("Value").fill("@x.example")
  const preview = page.getByRole("region", { name: "Preview" })
  await expect(preview).toContainText("5,200")
  await expect(preview).toContainText("A send would reach 5,200")
  await page.getByRole("button", { name: "Group", exact: true }).click()
  await page.getByLabel("How the conditions are combined").nth(1).selectOption({ label: "None of these matches" })
  await page.getByLabel("Value").nth(1).fill("p1@")
  await expect(preview).toContainText("5,199")
  await expect(preview.getByRole("link", { name: /@x[.]example/ }).first()).toHaveAttribute(
    "href",
    /[/]contacts[/]con_/,
  )
  const would = page.getByRole("region", { name: "Would a contact be in or out?" })
  await would.getByLabel("Address of a contact").fill("p1@x.example")
  await would.getByLabel("Address of a contact").press("Enter")
  await expect(would).toContainText("p1@x.example would be out")
  await expect(would).toContainText("Email contains “p1@” matches")
  await page.getByLabel("Value").nth(1).fill("p2@")
  await expect(would).toContainText("p1@x.example would be in")
  await page.getByLabel("Value").nth(1).fill("p1@")
  await expect(preview).toContainText("5,199")
  await expectAccessible(page)
  await page.getByRole("button", { name: "Create segment" }).click()

  await expect(page.getByRole("heading", { name: "Everybody at X", level: 1 })).toBeVisible()
  await expect(page.getByText("5,199 contacts.")).toBeVisible({ timeout: 30_000 })
  const members = page.getByRole("region", { name: "Members, newest first" })
  const seen = new Set<string>()
  await expect(async () => {
    await members.evaluate((frame) => frame.scrollTo(0, frame.scrollHeight))
    for (const text of await members.getByRole("link").allTextContents()) seen.add(text)
    const height = await members.evaluate((frame) => frame.firstElementChild?.getBoundingClientRect().height ?? 0)
    expect(Math.round(height / 45)).toBe(5_199)
  }).toPass({ timeout: 120_000, intervals: [50] })
  expect(await members.getByRole("listitem").count()).toBeLessThan(60)
  expect(seen.size).toBeGreaterThan(500)

  const why = page.getByRole("region", { name: "Why is a contact in or out?" })
  await why.getByLabel("Address of a contact").fill("p1@x.example")
  await why.getByRole("button", { name: "Check contact" }).click()
  await expect(why).toContainText("p1@x.example is out")
  await expect(why).toContainText("Email contains “p1@” matches")
  await expectAccessible(page)

  await open(page, "segments")
  await expect(page.getByRole("table", { name: "Segments" })).toContainText("5,199")
  await expectAccessible(page)
  expect(faults).toEqual([])
})

test("a number below zero and a number of days are typed into a filter digit by digit", async ({ page }) => {
  const made = await fetch(`${own.baseUrl}/v1/projects/${own.projectId}/contact-properties`, {
    method: "POST",
    headers: { authorization: `Bearer ${own.apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ key: "balance", type: "number" }),
  })
  expect(made.status).toBe(201)
  await open(page, "segments/new")
  await page.getByLabel("Field").selectOption({ label: "balance" })
  const value = page.getByLabel("Value")
  await value.focus()
  await page.keyboard.press("ControlOrMeta+A")
  const asked = page.waitForRequest((request) => (request.postData() ?? "").includes('"value":-10.5'))
  await page.keyboard.type("-10.5")
  await expect(value).toHaveValue("-10.5")
  await asked

  await page.getByLabel("Field").selectOption({ label: "Email activity" })
  const days = page.getByLabel("Days")
  await days.focus()
  await page.keyboard.press("End")
  await page.keyboard.press("Backspace")
  await page.keyboard.press("Backspace")
  await expect(days).toHaveValue("")
  await expect(page.getByRole("button", { name: "Create segment" })).toBeDisabled()
  await page.keyboard.type("4")
  await expect(days).toHaveValue("4")
  await expect(page.getByRole("button", { name: "Create segment" })).toBeEnabled()
})

test("a filter is changed, a member is removed manually, and the segment is deleted by its name", async ({ page }) => {
  const { faults } = watch(page)
  await open(page, "segments/new")
  await page.getByLabel("Name").fill("Two")
  await page.getByLabel("Field").selectOption({ label: "Email" })
  await page.getByLabel("Value").fill("p77@")
  await page.getByRole("button", { name: "Create segment" }).click()
  await expect(page.getByText("1 contact.")).toBeVisible()

  await page.getByRole("button", { name: "Edit filter" }).click()
  await page.getByLabel("How the conditions are combined").selectOption({ label: "Any of these matches" })
  await page.getByRole("button", { name: "Condition", exact: true }).click()
  await page.getByLabel("Value").nth(1).fill("p78@")
  await page.getByRole("button", { name: "Save filter" }).click()
  const members = page.getByRole("region", { name: "Members, newest first" })
  await expect(members.getByRole("listitem")).toHaveCount(2)
  const note = (text: string) => page.locator("[data-sonner-toast]", { hasText: text })
  await members.getByRole("button", { name: "Remove p77@x.example" }).click()
  await expect(members.getByRole("listitem")).toHaveCount(1)
  await note("p77@x.example was removed").getByRole("button", { name: "Undo" }).click()
  await expect(members.getByRole("listitem")).toHaveCount(2)
  await members.getByRole("button", { name: "Remove p77@x.example" }).click()
  await expect(members.getByRole("listitem")).toHaveCount(1)

  await page.getByRole("button", { name: "Add a contact" }).click()
  const adding = page.getByRole("dialog")
  await expect(adding.getByText("The newest 8. Type to find others.")).toBeVisible()
  await adding.getByLabel("Address or name").fill("p78@")
  await expect(adding.getByRole("listitem")).toHaveCount(1)
  await expect(adding.getByText("Member", { exact: true })).toBeVisible()
  await adding.getByLabel("Address or name").fill("p4711@")
  await expectAccessible(page)
  await adding.getByRole("button", { name: "Add p4711@x.example" }).click()
  await expect(adding).toBeHidden()
  await expect(members.getByRole("listitem")).toHaveCount(2)
  const why = page.getByRole("region", { name: "Why is a contact in or out?" })
  await why.getByLabel("Address of a contact").fill("p4711@x.example")
  await why.getByRole("button", { name: "Check contact" }).click()
  await expect(why).toContainText("p4711@x.example is in, added manually")
  await note("p4711@x.example was added").getByRole("button", { name: "Undo" }).click()
  await expect(members.getByRole("listitem")).toHaveCount(1)

  await page.getByRole("button", { name: "Delete segment" }).click()
  const dialog = page.getByRole("alertdialog")
  await dialog.getByLabel(/Type/).fill("Two")
  await dialog.getByRole("button", { name: "Delete segment" }).click()
  await expect(page).toHaveURL(/\/segments$/)
  await expect(page.getByRole("link", { name: "Two", exact: true })).toBeHidden()
  expect(faults).toEqual([])
})

test("the contacts are one list of which those in sight exist, with keys, search and filters in the address", async ({
  page,
}) => {
  const { faults } = watch(page)
  await open(page, "contacts")
  const card = page.getByRole("region", { name: "Contacts", exact: true })
  await expect(card.getByRole("status")).toHaveText("5,201 contacts")
  await expectAccessible(page)
  const table = page.getByRole("table", { name: "Contacts" })
  await expect(table).toHaveAttribute("aria-rowcount", "5202")
  const frame = page.getByRole("region", { name: "Contacts, newest first" })
  let refused = 0
  await page.route(/[?&]after=/, (route) => {
    refused++
    return route.fulfill({
      status: 403,
      json: { type: "about:blank", code: "auth.forbidden", status: 403, title: "No", detail: "Not now." },
    })
  })
  await frame.evaluate((element) => element.scrollTo(0, element.scrollHeight))
  await expect(frame.getByRole("alert")).toContainText("The rest could not be loaded.")
  await page.unroute(/[?&]after=/)
  expect(refused).toBe(1)
  await frame.getByRole("button", { name: "Try again" }).click()
  await expect(frame.getByRole("alert")).toBeHidden()
  const seen = new Set<string>()
  await expect(async () => {
    await frame.evaluate((element) => element.scrollTo(0, element.scrollHeight))
    for (const text of await table.getByRole("link").allTextContents()) seen.add(text)
    expect(await table.locator("tr[data-index]").last().getAttribute("aria-rowindex").then(Number)).toBeGreaterThan(500)
  }).toPass({ timeout: 30_000, intervals: [50] })
  expect(await table.locator("tr[data-index]").count()).toBeLessThan(70)
  expect(seen.size).toBeGreaterThan(200)
  await expect(table.getByRole("columnheader", { name: "Address" })).toBeInViewport()
  await expectAccessible(page)

  await page.setViewportSize({ width: 390, height: 844 })
  const free = await table.evaluate((element: HTMLTableElement) => {
    const cells = [...element.querySelectorAll("thead th")].map((cell) => cell.getBoundingClientRect().width)
    return Math.abs(element.getBoundingClientRect().width - cells.reduce((sum, width) => sum + width, 0))
  })
  expect(free, "its columns fill the table").toBeLessThan(2)
  await page.setViewportSize({ width: 1440, height: 900 })

  await table.locator("tr[data-index]").nth(20).focus()
  const from = Number(await page.locator(":focus").getAttribute("data-index"))
  // Faster than rows can be rendered, as a held key is on a slow machine.
  await page.locator(":focus").evaluate(() => {
    const press = () => new KeyboardEvent("keydown", { key: "j", bubbles: true, cancelable: true })
    for (let pressed = 0; pressed < 60; pressed++) document.activeElement?.dispatchEvent(press())
  })
  await expect(page.locator(":focus")).toHaveAttribute("data-index", String(from + 60))
  await expect(page.locator(":focus")).toBeInViewport()

  await page.getByLabel("Address or name").fill("p51")
  await expect(page).toHaveURL(/search=p51/)
  await expect(card.getByRole("status")).toHaveText("111 contacts")
  await page.getByLabel("State").selectOption({ label: "Unsubscribed" })
  await expect(page.getByText("No contacts match")).toBeVisible()
  await page.goBack()
  await expect(table.getByRole("row").nth(1)).toHaveAttribute("aria-rowindex", "2")
  await page.getByLabel("Address or name").fill("p5199@")
  await expect(table.getByRole("row")).toHaveCount(2)
  await table.getByRole("row").nth(1).press("Enter")
  await expect(
    page
      .getByRole("heading", { name: "p5199@x.example", level: 1 })
      .or(page.getByRole("heading", { name: "Odd", level: 1 })),
  ).toBeVisible()
  expect(faults).toEqual([])
})

test("addresses are suppressed manually and by an import that is tried first, found again, and removed with a warning", async ({
  page,
}) => {
  const { faults } = watch(page)
  await open(page, "suppressions")
  await expect(page.getByText("No suppressed addresses")).toBeVisible()
  await expectAccessible(page)
  await page.getByRole("button", { name: "Add address" }).click()
  await page.getByLabel("Address", { exact: true }).fill("nobody")
  await page.getByRole("button", { name: "Suppress" }).click()
  await expect(page.getByText("An address must have the form local@domain.")).toBeVisible()
  await page.getByLabel("Address", { exact: true }).fill("Gone@X.example")
  await page.getByRole("button", { name: "Suppress" }).click()
  const table = page.getByRole("table", { name: "Suppressed addresses" })
  await expect(table).toContainText("gone@x.example")

  await page.getByRole("button", { name: "Import" }).click()
  const dialog = page.getByRole("dialog")
  await dialog.getByLabel("Drop a CSV file here, or choose one").setInputFiles({
    name: "old-list.csv",
    mimeType: "text/csv",
    buffer: Buffer.from("Email,Reason\r\nleft@x.example,unsubscribe\r\nbroken,\r\ngone@x.example,bounce\r\n"),
  })
  await dialog.getByRole("button", { name: "Try 3 rows" }).click()
  await expect(dialog).toContainText("1 address would be added.")
  await expect(dialog).toContainText("Row 2")
  await expectAccessible(page)
  await dialog.getByRole("button", { name: "Add 1" }).click()
  await expect(dialog).toContainText("1 address was added.")
  await dialog.getByRole("button", { name: "Close" }).last().click()
  await expect(table).toContainText("left@x.example")
  await expectAccessible(page)

  await page.getByLabel("Reason").selectOption({ label: "Unsubscribed" })
  await expect(table.getByRole("row")).toHaveCount(2)
  await table.getByRole("button", { name: "Remove left@x.example" }).click()
  await expect(page.getByRole("alertdialog")).toContainText("The person unsubscribed.")
  await page.getByRole("button", { name: "Remove from list" }).click()
  await expect(page.getByText("No address matches")).toBeVisible()
  await page.getByRole("button", { name: "Undo" }).click()
  await page.getByLabel("Reason").selectOption({ label: "Manual" })
  await expect(table).toContainText("left@x.example")
  expect(faults).toEqual([])
})

test("a dry run says nothing of addresses that were changed since, and an import that is cancelled sends no more of them", async ({
  page,
}) => {
  await open(page, "suppressions")
  const asked: Route[] = []
  await page.route("**/suppressions/import", (route) => void asked.push(route))
  const answer = async (at: number) => {
    await expect.poll(() => asked.length, "requests so far").toBe(at + 1)
    await asked[at]?.fulfill({ json: { imported: 1, skipped: 0, invalid: 0, errors: [] } })
  }
  await page.getByRole("button", { name: "Import" }).first().click()
  const dialog = page.getByRole("dialog", { name: "Import suppressions" })
  const pasted = dialog.getByLabel("Or paste addresses")
  await pasted.fill("one@x.example")
  await dialog.getByRole("button", { name: "Try 1 row" }).click()
  await expect.poll(() => asked.length, "requests of the first dry run").toBe(1)
  await pasted.fill("one@x.example\ntwo@x.example")
  const other = dialog.getByRole("button", { name: "Try 2 rows" })
  await expect(other, "the dry run of what is there now").toBeEnabled()
  await other.click()
  await answer(1)
  await expect(dialog).toContainText("1 address would be added.")

  const file = dialog.locator("input[type=file]")
  const buffer = Buffer.from("one@x.example\n".repeat(20_001))
  await file.setInputFiles({ name: "long.csv", mimeType: "text/csv", buffer })
  await dialog.getByRole("button", { name: "Try 20,001 rows" }).click()
  await answer(2)
  await answer(3)
  await dialog.getByRole("button", { name: "Add 2" }).click()
  await expect.poll(() => asked.length, "requests with the first rows of the import").toBe(5)
  await expect(file, "the file while it is imported").toBeDisabled()
  const listed = page.waitForRequest(/[/]v1[/].*[/]suppressions[?]/)
  await dialog.getByRole("button", { name: "Cancel" }).click()
  await answer(4)
  await listed
  expect(asked, "requests once it is cancelled").toHaveLength(5)
})

test("a filter names another segment, suggests the values of a property, and its deletion says what it empties", async ({
  page,
}) => {
  const { faults } = watch(page)
  const city = await createSampleOrganization("cities")
  await becomeOwner(page.context(), city)
  const root = `/projects/${city.projectId}`
  const post = async (path: string, data: unknown) => {
    const headers = { authorization: `Bearer ${city.apiKey}` }
    expect((await page.request.post(`/v1${root}/${path}`, { headers, data })).status()).toBe(201)
  }
  await post("contact-properties", { key: "city", type: "string" })
  for (const name of ["Leipzig", "Oslo", "Leipzig"])
    await post("contacts", { email: `${name}${Math.random()}@x.example`, properties: { city: name } })

  await page.goto(`${root}/segments/new`)
  await page.getByLabel("Name").fill("Of Leipzig, without Ada")
  await page.getByLabel("Field").selectOption({ label: "city" })
  const value = page.getByRole("combobox", { name: "Value" })
  await page.getByLabel("Value").focus()
  await expect(value).toBeVisible()
  expect(
    await page.locator("datalist option").evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value)),
  ).toEqual(["Leipzig", "Oslo"])
  await value.fill("Leipzig")
  await page.getByRole("button", { name: "Condition", exact: true }).click()
  await page.getByLabel("Field").nth(1).selectOption({ label: "Segment" })
  await page.getByLabel("Comparison").nth(1).selectOption({ label: "not in" })
  await expect(page.getByRole("combobox", { name: "Segment", exact: true })).toHaveValue(city.ids.segmentId ?? "")
  await expect(page.getByRole("region", { name: "Preview" })).toContainText("2")
  await expectAccessible(page)
  await page.getByRole("button", { name: "Create segment" }).click()
  await expect(page.getByText("city is “Leipzig” and is not in Named Ada")).toBeVisible()
  await expect(page.getByText("2 contacts.")).toBeVisible()

  await page.goto(`${root}/segments/${city.ids.segmentId}`)
  await page.getByRole("button", { name: "Delete segment" }).click()
  await expect(page.getByRole("alertdialog")).toContainText(
    "The filter of Of Leipzig, without Ada names it, and matches nobody from then on until it is changed.",
  )
  await expectAccessible(page)
  expect(faults).toEqual([])
})
