import { readFileSync } from "node:fs"
import { expect, test, type Page } from "@playwright/test"
import { expectAccessible, watch } from "@/e2e/support/browser"
import { createSampleOrganization, type SampleOrganization } from "@/e2e/support/sample-organization"
import { productDatabase } from "@/e2e/support/signed-in"
import { decodeId } from "@/lib/platform/ids"

let own: SampleOrganization

test.beforeAll(async ({ browserName: _browser }, info) => {
  own = await createSampleOrganization(`audience-${info.workerIndex}`)
})

async function open(page: Page, path: string) {
  await page.context().addCookies(
    own.cookie.split("; ").map((pair) => {
      const [name = "", ...value] = pair.split("=")
      return { name, value: value.join("="), url: own.baseUrl }
    }),
  )
  await page.goto(`/projects/${own.projectId}/${path}`)
}

test("a property, a topic and a contact are made, and all of the contact is changed on its page", async ({ page }) => {
  const { faults } = watch(page)
  await open(page, "properties")
  await page.getByRole("button", { name: "Define property" }).first().click()
  await page.getByRole("dialog").getByLabel("Key").fill("plan")
  await page.getByRole("dialog").getByLabel("Fallback").fill("free")
  await page.getByRole("dialog").getByRole("button", { name: "Define property" }).click()
  await expect(page.getByRole("table", { name: "Properties" })).toContainText("plan")
  await expectAccessible(page)
  const desktop = page.viewportSize()
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByText("Text, fallback free")).toBeVisible()
  if (desktop) await page.setViewportSize(desktop)

  await open(page, "topics")
  await page.getByRole("button", { name: "Create topic" }).first().click()
  await page.getByRole("dialog").getByLabel("Name").fill("Product news")
  await page.getByRole("dialog").getByRole("button", { name: "Create topic" }).click()
  await expect(page.getByRole("heading", { name: "Product news", level: 1 })).toBeVisible()
  const performance = page.getByRole("region", { name: "Performance" })
  await performance.getByLabel("Window").selectOption("90d")
  await expect(performance).toContainText(/Sent\s*0/)
  // Of nothing there is no share.
  await expect(performance).not.toContainText("%")
  await expectAccessible(page)
  await open(page, "topics")
  await expect(page.getByRole("table", { name: "Topics" })).toContainText("Product news")
  await expectAccessible(page)

  await open(page, "contacts")
  await page.getByRole("button", { name: "Add contact" }).first().click()
  await page.getByRole("dialog").getByLabel("Email address").fill("Emmy@Noether.example")
  await page.getByRole("dialog").getByRole("button", { name: "Add contact" }).click()
  await expect(page.getByRole("heading", { name: "emmy@noether.example", level: 1 })).toBeVisible()
  await page.getByLabel("First name").fill("Emmy")
  await page.getByRole("region", { name: "Profile" }).getByRole("button", { name: "Save" }).click()
  await expect(page.getByRole("heading", { name: "Emmy", level: 1 })).toBeVisible()
  await page.getByLabel("plan").fill("pro")
  await page.getByRole("region", { name: "Properties" }).getByRole("button", { name: "Save" }).click()
  await expect(page.getByRole("region", { name: "Properties" }).getByRole("button", { name: "Save" })).toBeHidden()
  const switched = page.getByRole("switch", { name: /Product news/ })
  await switched.click()
  await expect(switched).toBeChecked()
  await expect(page.getByText("Subscribed to Product news")).toBeVisible()
  await expect(switched, "the switch that was pressed").toBeFocused()
  await page.getByRole("button", { name: "Undo" }).first().click()
  await expect(switched).not.toBeChecked()
  await switched.click()
  await expect(page.getByRole("list", { name: "Activity" })).toContainText("Subscribed to topic")
  await expect(page.getByRole("switch", { name: /Product news/ })).toBeChecked()
  await expectAccessible(page)

  await open(page, "properties")
  await page.getByRole("button", { name: "Delete plan" }).click()
  await expect(page.getByRole("alertdialog")).toContainText("1 contact loses its value.")
  await page.keyboard.press("Escape")

  await open(page, "topics")
  await page.getByRole("link", { name: "Product news" }).click()
  const inside = page.getByRole("region", { name: "Opted in", exact: true })
  const outside = page.getByRole("region", { name: "Opted out", exact: true })
  await expect(inside.getByRole("table")).toContainText(/emmy@noether.example.*Emmy.*(just now|ago)/)
  await expect(outside).toContainText("No contact has opted out")
  const [left, right] = [await inside.boundingBox(), await outside.boundingBox()]
  expect([left?.y, left?.width]).toEqual([right?.y, right?.width])
  await expectAccessible(page)

  await open(page, "contacts?search=emmy")
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Export CSV" }).click(),
  ])
  const exported = readFileSync(await download.path(), "utf8")
    .trim()
    .split("\n")
  expect([exported.length, exported[1]]).toEqual([2, expect.stringContaining("emmy@noether.example")])
  await page.getByRole("link", { name: "emmy@noether.example" }).click()
  await expect(page.getByLabel("plan")).toHaveValue("pro")
  expect(faults).toEqual([])
})

test("one of many properties is saved and the rest is unchanged, and one of many like suppressions is the contact's own", async ({
  page,
}) => {
  const { faults } = watch(page)
  const headers = { authorization: `Bearer ${own.apiKey}` }
  const answer = await page.request.post(`/v1/projects/${own.projectId}/contacts`, {
    headers,
    data: { email: "kay@x.example" },
  })
  const { id } = await answer.json()
  const database = await productDatabase()
  const project = decodeId("proj", own.projectId)
  await database.query(
    `INSERT INTO contact_properties (id, project_id, key, type, fallback_value)
      SELECT gen_random_uuid(), $1, 'p' || n, 'string', 'v' FROM generate_series(1, 120) AS n`,
    [project],
  )
  await database.query(
    "UPDATE contacts SET properties = (SELECT jsonb_object_agg('p' || n, 'v') FROM generate_series(1, 120) AS n) WHERE id = $1",
    [decodeId("con", id)],
  )
  await database.query(
    "INSERT INTO suppressions (id, project_id, email, reason) VALUES ('00000000-0000-7000-8000-000000000000', $1, 'kay@x.example', 'bounce')",
    [project],
  )
  await database.query(
    `INSERT INTO suppressions (id, project_id, email, reason)
      SELECT gen_random_uuid(), $1, 'n' || n || 'kay@x.example', 'manual' FROM generate_series(1, 101) AS n`,
    [project],
  )
  await database.end()

  await page.route(/[/]suppressions[?]/, (route) =>
    route.fulfill({
      status: 403,
      json: { type: "about:blank", code: "auth.forbidden", status: 403, title: "No", detail: "Not now." },
    }),
  )
  await open(page, `contacts/${id}`)
  const subscription = page.getByRole("region", { name: "Subscription" })
  await expect(subscription).toContainText("The suppression could not be loaded")
  await expect(subscription).not.toContainText("Email can be sent")
  await page.unroute(/[/]suppressions[?]/)
  await subscription.getByRole("button", { name: "Try again" }).click()
  await expect(subscription).toContainText("Bounced: the recipient's server does not accept email for this address.")
  await expect(page.locator("header").getByText("Suppressed", { exact: true })).toBeVisible()

  const properties = page.getByRole("region", { name: "Properties" })
  await expect(properties.getByRole("textbox", { name: /^p\d+$/ })).toHaveCount(120)
  await expect(properties.getByLabel("p7", { exact: true })).toHaveValue("v")
  await properties.getByLabel("p120").fill("w")
  await properties.getByLabel("p3", { exact: true }).fill("")
  await properties.getByRole("button", { name: "Save" }).click()
  await expect(properties.getByRole("button", { name: "Save" })).toBeHidden()
  const saved = await (await page.request.get(`/v1/projects/${own.projectId}/contacts/${id}`, { headers })).json()
  expect([saved.ownProperties.length, saved.properties.p120, saved.ownProperties.includes("p3")]).toEqual([
    119,
    "w",
    false,
  ])
  await expectAccessible(page)

  await open(page, "segments/new")
  await expect(page.getByLabel("Field").locator("option", { hasText: /^p\d+$/ })).toHaveCount(120)
  expect(faults).toEqual([])
})

test("a recipient who unsubscribes by the link of a mail is seen to have done so on the contact's page", async ({
  page,
}) => {
  const { faults } = watch(page)
  const headers = { authorization: `Bearer ${own.apiKey}` }
  const contact = await page.request.post(`/v1/projects/${own.projectId}/contacts`, {
    headers,
    data: { email: "grace@hopper.example" },
  })
  const mail = {
    from: `hello@${own.email.split("@")[0]}.test`,
    to: ["grace@hopper.example"],
    subject: "News",
    text: "Hello.",
    sendTimeCategory: "marketing",
  }
  const sent = await page.request.post("/v1/emails", { headers, data: mail })
  const { id } = await sent.json()
  let link = ""
  await expect(async () => {
    const raw = await page.request.get(`/v1/projects/${own.projectId}/emails/${id}/raw`, { headers })
    link = /<(http[^>]+\/u\/[^>]+)>/.exec((await raw.text()).replace(/\r?\n[ \t]+/g, ""))?.[1] ?? ""
    expect(link).not.toBe("")
  }).toPass({ timeout: 20_000 })

  await page.goto(new URL(link).pathname)
  await page.getByRole("link", { name: "Choose which emails you get" }).click()
  await expect(page.getByRole("heading", { name: "Your email preferences" })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole("button", { name: "Unsubscribe from all" }).click()
  await expect(page.getByText("You have unsubscribed from all of them.")).toBeVisible()
  await expectAccessible(page)

  await open(page, `contacts/${(await contact.json()).id}`)
  await expect(page.getByText("Unsubscribed", { exact: true }).first()).toBeVisible()
  await page.getByRole("button", { name: "Subscribe again" }).click()
  await page.getByRole("alertdialog").getByRole("button", { name: "Subscribe again" }).click()
  await expect(page.getByText("Email can be sent to this address.")).toBeVisible()
  expect(faults).toEqual([])
})
