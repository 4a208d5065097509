import { expect, test, type Page } from "@playwright/test"
import { expectAccessible, watch } from "@/e2e/support/browser"
import { createSampleOrganization, signIn, type SampleOrganization } from "@/e2e/support/sample-organization"
import { becomeOwner } from "@/e2e/support/signed-in"

let own: SampleOrganization
let domain: string
test.beforeAll(async ({}, { workerIndex }) => {
  own = await createSampleOrganization(`keyboard${workerIndex}`)
  domain = `keyboard${workerIndex}.test`
})
test.beforeEach(({ context }) => becomeOwner(context, own))

const palette = (page: Page) => page.getByRole("dialog", { name: "Go to, create or find" })
const field = (page: Page) => palette(page).getByRole("combobox")
/** Keys are heard once the page's scripts run, which add to the side bar what the browser alone asks for. */
const expectListening = (page: Page) =>
  expect(page.getByRole("link", { name: "Domains" }).filter({ visible: true })).toHaveText("Domains1")
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name })

test("Ctrl K goes to a page, finds emails by id and address and domains by name, creates, and gives the focus back", async ({
  page,
}) => {
  const { faults } = watch(page)
  const root = `/projects/${own.projectId}`
  await page.goto(`${root}/emails`)
  await expect(page.getByRole("row").filter({ hasText: "Your receipt" })).toBeVisible()
  await expectListening(page)

  await test.step("nothing of it is loaded before it is asked for, and it opens ready to be typed into", async () => {
    const search = page.getByRole("button", { name: "Search", exact: false }).filter({ visible: true }).first()
    await expect(search).toContainText("Ctrl")
    await search.focus()
    await page.keyboard.press("Control+k")
    await expect(field(page)).toBeFocused()
    await expectAccessible(page)
    await page.keyboard.press("Escape")
    await expect(palette(page)).toBeHidden()
    await expect(search).toBeFocused()
  })

  await test.step("whoever is fast opens it again in the moment it closes", async () => {
    for (let round = 0; round < 20; round++) {
      await page.keyboard.press("Control+k")
      await expect(field(page)).toBeFocused()
      await Promise.all([page.keyboard.press("Escape"), page.keyboard.press("Control+k")])
      await expect(field(page)).toBeFocused()
      await page.keyboard.press("Escape")
      await expect(palette(page)).toBeHidden()
    }
  })

  await test.step("a page by a part of its name", async () => {
    await page.keyboard.press("Control+k")
    await page.keyboard.type("api k")
    await page.keyboard.press("Enter")
    await expect(page).toHaveURL(new RegExp(`${root}/api-keys$`))
    await expect(palette(page)).toBeHidden()
  })

  await test.step("an email by its id, and by the address of its recipient", async () => {
    for (const text of [own.ids.emailId ?? "", "ada@lovelace.example"]) {
      await page.keyboard.press("Control+k")
      await field(page).fill(text)
      const found = palette(page).getByRole("option", { name: /Your receipt/ })
      await expect(found).toHaveAttribute("aria-selected", "true")
      await expectAccessible(page)
      await page.keyboard.press("Enter")
      await expect(page).toHaveURL(new RegExp(`${root}/emails/${own.ids.emailId}$`))
      await expect(heading(page, "Your receipt")).toBeVisible()
      await page.keyboard.press("g")
      await page.keyboard.press("k")
      await expect(page).toHaveURL(new RegExp(`${root}/api-keys$`))
    }
  })

  await test.step("a domain by a part of its name, and what was opened is among the recent ones", async () => {
    await page.keyboard.press("Control+k")
    await page.keyboard.type(domain.slice(3, -2))
    await palette(page).getByRole("option", { name: domain }).click()
    await expect(heading(page, domain)).toBeVisible()
    await page.keyboard.press("Control+k")
    await expect(palette(page).getByRole("group", { name: "Recent" }).getByRole("option")).toHaveText([
      new RegExp(domain),
      /Your receipt/,
    ])
    await page.keyboard.press("Escape")
  })

  await test.step("each result has the icon of its page in the side bar, and a contact its name", async () => {
    const main = page.getByRole("navigation", { name: "Main" }).filter({ visible: true })
    const iconOf = (label: string) => main.getByRole("link", { name: label }).first().locator("svg").innerHTML()
    await page.keyboard.press("Control+k")
    await page.keyboard.type("segm")
    const place = palette(page)
      .getByRole("group", { name: "Go to" })
      .getByRole("option", { name: /^Segments/ })
    expect(await place.locator("svg").innerHTML()).toBe(await iconOf("Segments"))
    await field(page).fill("lovelace")
    const contact = palette(page).getByRole("group", { name: "Contacts" }).getByRole("option")
    await expect(contact).toHaveText("ada@lovelace.example Ada")
    expect(await contact.locator("svg").innerHTML()).toBe(await iconOf("Contacts"))
    await expectAccessible(page)
    await page.keyboard.press("Escape")
  })

  await test.step("whatever has a page, by its id", async () => {
    const { contactId = "", segmentId = "", topicId = "", domainId = "", webhookId = "", keyId = "" } = own.ids
    for (const [id, path, title] of [
      [contactId, "contacts", "Ada"],
      [segmentId, "segments", "Named Ada"],
      [topicId, "topics", "News"],
      [domainId, "domains", domain],
      [webhookId, "webhooks", "Complaints"],
      [keyId, "api-keys", "bootstrap"],
    ] as const) {
      await page.keyboard.press("Control+k")
      await field(page).fill(id)
      await expect(palette(page).getByRole("option").first()).toHaveAttribute("aria-selected", "true")
      await expect(palette(page).getByRole("option").first()).not.toContainText(id)
      await page.keyboard.press("Enter")
      await expect(page).toHaveURL(new RegExp(`${root}/${path}/${id}$`))
      await expect(heading(page, title)).toBeVisible()
    }
  })

  await test.step("words become filters of the log, where all of it is searched", async () => {
    await page.keyboard.press("Control+k")
    await page.keyboard.type("no such words")
    await palette(page)
      .getByRole("option", { name: /^Emails with/ })
      .click()
    await expect(page).toHaveURL(/search=no(%20|\+)such(%20|\+)words/)
    await expect(page.getByText("No emails match “no such words”")).toBeVisible()
  })

  await test.step("a dialog of another page opens from here", async () => {
    await page.keyboard.press("Control+k")
    await page.keyboard.type("add a dom")
    await page.keyboard.press("Enter")
    await expect(page).toHaveURL(new RegExp(`${root}/domains$`))
    await expect(page.getByRole("dialog", { name: "Add domain" })).toBeVisible()
    await page.keyboard.press("Control+k")
    await expect(palette(page)).toBeHidden()
    await page.keyboard.press("Escape")
    await expect(page.getByRole("dialog")).toBeHidden()
    for (const [words, path, title] of [
      ["add a con", "contacts", "Add contact"],
      ["create a top", "topics", "Create topic"],
      ["define", "properties", "Define property"],
      ["suppress an", "suppressions", "Suppress an address"],
      ["invite", "settings/members", /^Invite to/],
      ["create a proj", "settings/members", "New project"],
    ] as const) {
      await page.keyboard.press("Control+k")
      await page.keyboard.type(words)
      await page.keyboard.press("Enter")
      await expect(page).toHaveURL(new RegExp(`${root}/${path}$`))
      await expect(page.getByRole("dialog", { name: title })).toBeVisible()
      await page.keyboard.press("Escape")
      await expect(page.getByRole("dialog")).toBeHidden()
    }
  })

  await test.step("the theme, and the way out", async () => {
    await page.keyboard.press("Control+k")
    await page.keyboard.type("dark")
    await page.keyboard.press("Enter")
    await expect(page.locator("html")).toHaveClass(/dark/)
    await page.keyboard.press("Control+k")
    await page.keyboard.type("sign out")
    await page.keyboard.press("Enter")
    await expect(page).toHaveURL(/\/sign-in/)
  })
  expect(faults).toEqual([])
})

test("g and a letter go, j and k move, Enter opens, ? explains all of them, and none acts while typing", async ({
  page,
}) => {
  const { faults } = watch(page)
  const cookie = await signIn(own.baseUrl, "password", { email: own.email, password: own.password })
  await becomeOwner(page.context(), { ...own, cookie })
  const root = `/projects/${own.projectId}`
  await page.goto(root)
  await expect(heading(page, "Overview")).toBeVisible()
  await expectListening(page)

  for (const [letter, path, title] of [
    ["e", "/emails", "Emails"],
    ["b", "/broadcasts", "Broadcasts"],
    ["l", "/stream", "Live"],
    ["d", "/domains", "Domains"],
    ["w", "/webhooks", "Webhooks"],
    ["k", "/api-keys", "API keys"],
    ["o", "", "Overview"],
  ] as const) {
    await page.keyboard.press("g")
    await page.keyboard.press(letter)
    await expect(page).toHaveURL(new RegExp(`${root}${path}$`))
    await expect(heading(page, title)).toBeVisible()
  }

  const help = page.getByRole("dialog", { name: "Keyboard shortcuts" })
  await page.keyboard.press("?")
  await expect(help).toBeVisible()
  for (const link of await page.getByRole("navigation", { name: "Main" }).getByRole("link").allTextContents()) {
    await expect(help.getByText(link.replace(/[\d,]+$/, ""), { exact: true })).toBeVisible()
  }
  await expectAccessible(page)
  await page.keyboard.press("Escape")
  await expect(help).toBeHidden()

  await page.keyboard.press("g")
  await page.keyboard.press("e")
  await expect(heading(page, "Emails")).toBeVisible()
  const row = page.getByRole("row").filter({ hasText: "Your receipt" })
  await expect(row).toBeVisible()
  const field = page.getByRole("searchbox", { name: "Search emails" })
  await field.focus()
  await page.keyboard.type("gd?jk")
  await expect(field).toHaveValue("gd?jk")
  await expect(help).toBeHidden()
  await expect(page).toHaveURL(/\/emails\?search=gd/)
  await expect(row).toBeHidden()
  await field.fill("")
  await expect(row).toBeVisible()
  await field.blur()
  await page.keyboard.press("j")
  await expect(row).toBeFocused()
  await page.keyboard.press("Enter")
  await expect(heading(page, "Your receipt")).toBeVisible()
  expect(faults).toEqual([])
})
