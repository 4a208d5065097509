import { expect, test, type Page, type Route } from "@playwright/test"
import { readFileSync } from "node:fs"
import sharp from "sharp"
import { expectAccessible, overflowPx, watch } from "@/e2e/support/browser"
import { createSampleOrganization, type SampleOrganization } from "@/e2e/support/sample-organization"
import { becomeOwner } from "@/e2e/support/signed-in"

let own: SampleOrganization

test.beforeAll(async () => {
  own = await createSampleOrganization("imports")
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

test("a file of 10,000 rows is mapped, tried, imported and its bad rows are told by line", async ({ page }) => {
  const { faults } = watch(page)
  const headers = { authorization: `Bearer ${own.apiKey}` }
  await page.request.post(`/v1/projects/${own.projectId}/contact-properties`, {
    headers,
    data: { key: "seats", type: "number" },
  })
  const rows = Array.from({ length: 10_000 }, (_, at) =>
    at % 1_000 === 7 ? `nobody ${at};${at};left;right` : `c${at}@import.example;${at};left;right`,
  )
  const file = {
    name: "customers.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(`Kontakt;Seats;Remark;Remark\n${rows.join("\n")}\n`),
  }

  await open(page, "contacts/imports")
  await expectAccessible(page)
  await page.getByRole("link", { name: "Import a CSV file" }).first().click()
  await page.locator("input[type=file]").setInputFiles(file)
  const columns = page.getByRole("table", { name: "Columns of the file" })
  await expect(columns).toContainText("c0@import.example, c1@import.example")
  await expect(columns.getByLabel("Goes to: Seats")).toHaveValue("properties.seats")
  await expect(columns.getByLabel("Goes to: Kontakt")).toHaveValue("email")
  await columns.getByLabel("Goes to: Kontakt").selectOption("Not imported")
  await expect(page.getByText("Choose the column with the email addresses.")).toBeVisible()
  await columns.getByLabel("Goes to: Kontakt").selectOption("email")
  await columns.getByLabel("Goes to: Remark (column 4)").selectOption("lastName")
  await expectAccessible(page)

  await page.getByRole("button", { name: "Try without writing" }).click()
  await expect(page.getByRole("heading", { name: "customers.csv", level: 1 })).toBeVisible()
  await expect(page.getByText("Checked", { exact: true })).toBeVisible({ timeout: 60_000 })
  await expect(page.getByRole("region", { name: "Progress" })).toContainText("9,990")
  const refused = page.getByRole("table", { name: "Rejected rows" })
  await expect(refused.getByRole("row").nth(1)).toContainText("9Kontakt:")
  await expect(refused.getByRole("row")).toHaveCount(11)
  await expectAccessible(page)

  await page.getByRole("button", { name: "Import the other 9,990 rows" }).click()
  await expect(page.getByText("Done", { exact: true })).toBeVisible({ timeout: 60_000 })
  await expect(page.getByRole("link", { name: "Create segment" })).toBeVisible()
  await expect(page.getByRole("region", { name: "Progress" })).toContainText("9,990")
  await expect(page.getByRole("button", { name: "Import the other 9,990 rows" })).toHaveCount(0)

  await page.goBack()
  await expect(page.getByText("Checked", { exact: true })).toBeVisible()
  await expect(page.getByRole("button", { name: "Import the other 9,990 rows" })).toHaveCount(0)

  await open(page, "contacts")
  await expect(page.getByRole("region", { name: "Contacts", exact: true }).getByRole("status")).toHaveText(
    "9,991 contacts",
  )
  await expect(page.getByRole("region", { name: "Contacts", exact: true })).toContainText("right")
  expect(faults).toEqual([])
})

test("a customer list as a spreadsheet saves it is mapped in a few clicks, mapped again after a dry run, and remembered", async ({
  page,
}) => {
  const { faults } = watch(page)
  const rows = Array.from(
    { length: 300 },
    (_, at) => `kunde${at}@firma.example;Vor${at};Nach${at};6489,61;${at % 2 ? "ja" : "nein"};31.03.2025;Leipzig;`,
  )
  const header = "E-Mail-Adr.;Vorname;Name;Umsatz EUR;Newsletter?;Kunde seit;Ort;Notiz"
  const buffer = Buffer.from(`${header}\r\n${rows.join("\r\n")}\r\n`, "latin1")
  const file = { name: "kunden.csv", mimeType: "text/csv", buffer }
  const columns = page.getByRole("table", { name: "Columns of the file" })
  const goesTo = (name: string) => columns.getByLabel(`Goes to: ${name}`)

  await open(page, "contacts/imports/new")
  await page.locator("input[type=file]").setInputFiles(file)
  for (const [name, target] of [
    ["E-Mail-Adr.", "email"],
    ["Vorname", "firstName"],
    ["Name", "lastName"],
    ["Umsatz EUR", ""],
  ] as const)
    await expect(goesTo(name)).toHaveValue(target)
  await page.getByRole("button", { name: "New properties for the other 4 columns" }).click()
  for (const [name, key, type] of [
    ["Umsatz EUR", "umsatz_eur", "number"],
    ["Newsletter?", "newsletter", "boolean"],
    ["Kunde seit", "kunde_seit", "date"],
    ["Ort", "ort", "string"],
  ] as const) {
    await expect(columns.getByLabel(`Key of the new property: ${name}`)).toHaveValue(key)
    await expect(columns.getByLabel(`Type of the new property: ${name}`)).toHaveValue(type)
  }
  await expect(columns).toContainText("6489,61 is read as 6489.61")
  await columns.getByLabel("Type of the new property: Ort").selectOption("Number")
  await expect(columns).toContainText("do not fit")
  await expectFits(page)

  await page.getByRole("button", { name: "Try without writing" }).click()
  await expect(page.getByRole("heading", { name: "300 of 300 rows would be rejected" })).toBeVisible({
    timeout: 60_000,
  })
  await expect(page.getByText("Properties you added while mapping exist already.")).toBeVisible()
  const reasons = page.getByRole("table", { name: "Why rows were rejected" })
  await expect(reasons.getByRole("row")).toHaveCount(2)
  await expect(reasons).toContainText("300OrtMust be a number")
  await expect(reasons).toContainText("“Leipzig”")
  await expectFits(page)
  const rejected = await page.getByRole("link", { name: "Download rejected.csv" }).getAttribute("href")
  expect((await (await page.request.get(rejected ?? "")).text()).trimEnd().split("\r\n")).toHaveLength(301)

  await page.getByRole("link", { name: "Change mapping" }).click()
  await expect(page.getByText("It is still here from the dry run")).toBeVisible()
  await expect(goesTo("Umsatz EUR")).toHaveValue("properties.umsatz_eur")
  // The dry run has made the property with the type that was chosen, and says so.
  await expect(columns).toContainText("For another type, choose “New property …”.")
  await goesTo("Ort").selectOption("New property …")
  await expect(columns.getByLabel("Type of the new property: Ort")).toHaveValue("string")
  await expect(columns).not.toContainText("do not fit")
  await goesTo("Ort").selectOption("Not imported")
  await expectFits(page)
  await page.getByRole("button", { name: "Try without writing" }).click()
  await expect(page.getByRole("heading", { name: "Every row can be imported" })).toBeVisible({ timeout: 60_000 })
  await page.getByRole("button", { name: "Import these rows now" }).click()
  await expect(page.getByText("Done", { exact: true })).toBeVisible({ timeout: 60_000 })
  await expect(page.getByRole("region", { name: "Progress" })).toContainText("300")
  const headers = { authorization: `Bearer ${own.apiKey}` }
  const found = await page.request.get(`/v1/projects/${own.projectId}/contacts?email=kunde1@firma.example`, { headers })
  expect((await found.json()).data[0]).toMatchObject({
    ...{ firstName: "Vor1", lastName: "Nach1" },
    properties: { umsatz_eur: "6489.61", newsletter: "true", kunde_seit: "2025-03-31" },
  })

  await open(page, "contacts/imports/new")
  await page.locator("input[type=file]").setInputFiles(file)
  await expect(page.getByText("Mapped as in the last import of these columns.")).toBeVisible()
  await expect(goesTo("Kunde seit")).toHaveValue("properties.kunde_seit")
  expect(faults).toEqual([])
})

/** On a desktop and on a phone: accessible, and no wider than the window. */
async function expectFits(page: Page) {
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await overflowPx(page), `what does not fit at ${width} px`).toBeLessThanOrEqual(0)
    await expectAccessible(page)
  }
}

test("the rows of a file join a segment that is created on the way, named after the file", async ({ page }) => {
  const { faults } = watch(page)
  await open(page, "contacts/imports/new")
  const buffer = Buffer.from("email\none@joined.example\ntwo@joined.example\n")
  await page.locator("input[type=file]").setInputFiles({ name: "Regulars 2026.csv", mimeType: "text/csv", buffer })
  const segment = page.getByRole("combobox", { name: "Join segment" })
  await segment.selectOption("New segment …")
  await expect(page.getByRole("button", { name: "Import", exact: true })).toBeDisabled()
  await expect(page.getByRole("textbox", { name: "Name of the segment" })).toHaveValue("Regulars 2026")
  await expectAccessible(page)
  await page.getByRole("button", { name: "Create segment" }).click()
  await expect(segment.locator("option:checked")).toHaveText("Regulars 2026")
  await page.getByRole("button", { name: "Import", exact: true }).click()
  await expect(page.getByText("Done", { exact: true })).toBeVisible({ timeout: 60_000 })
  await page.getByRole("link", { name: "Open segment" }).click()
  await expect(page.getByText("two@joined.example")).toBeVisible()
  expect(faults).toEqual([])
})

test("a corrected file of the same name can be chosen, and who leaves while it is sent is asked and told when the import has started", async ({
  page,
}) => {
  await open(page, "contacts/imports/new")
  const file = page.locator("input[type=file]")
  const buffer = Buffer.from("email\nlater@sent.example\n")
  await file.setInputFiles({ name: "corrected.csv", mimeType: "text/csv", buffer })
  await expect(page.getByRole("table", { name: "Columns of the file" })).toContainText("later@sent.example")
  // Chrome says nothing of a choice that the field holds already.
  await expect(file, "the field of a file that was taken").toHaveValue("")

  const sent: Route[] = []
  await page.route(/[/]contacts[/]import[?]/, (route) => void sent.push(route))
  await page.getByRole("button", { name: "Import", exact: true }).click()
  await expect.poll(() => sent.length, "files sent").toBe(1)
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Domains" }).click()
  const question = page.getByRole("alertdialog", { name: "Leave without saving?" })
  await question.getByRole("button", { name: "Leave" }).click()
  await expect(page.getByRole("heading", { name: "Domains", level: 1 })).toBeVisible()
  await sent[0]?.continue()
  await expect(page.getByText("The import has started")).toBeVisible()
  await expect(page, "the page that was gone to").toHaveURL(/[/]domains$/)
  await page.getByRole("button", { name: "Open", exact: true }).click()
  await expect(page.getByRole("heading", { name: "corrected.csv", level: 1 })).toBeVisible()
})

test("a file that cannot be read, such as a folder, is said", async ({ page }) => {
  await open(page, "contacts/imports/new")
  await page.evaluate(() => {
    Blob.prototype.arrayBuffer = () => Promise.reject(new DOMException("It is not a file.", "NotFoundError"))
  })
  await expect(async () => {
    await page
      .locator("input[type=file]")
      .setInputFiles({ name: "customers", mimeType: "text/csv", buffer: Buffer.from("email\n") })
    await expect(page.locator("main").getByRole("alert")).toHaveText("customers could not be read. Choose it again.", {
      timeout: 5_000,
    })
  }).toPass({ timeout: 20_000 })
})

test("a picture of each type is taken, a wrong one is refused in plain words, and it goes again", async ({ page }) => {
  const { faults } = watch(page)
  await open(page, `contacts/${own.ids.contactId}`)
  const card = page.getByRole("region", { name: "Picture" })
  const picture = sharp({ create: { width: 300, height: 200, channels: 3, background: "#2f5bea" } })
  let before = ""
  for (const format of ["jpeg", "png", "webp", "gif"] as const) {
    const buffer = await picture.clone().toFormat(format).toBuffer()
    await card.getByLabel("Picture").setInputFiles({ name: `me.${format}`, mimeType: `image/${format}`, buffer })
    await expect(async () => {
      const now = (await card.locator("img").getAttribute("src")) ?? ""
      expect(now).toContain("/files/images/")
      expect(now).not.toBe(before)
    }).toPass({ timeout: 20_000 })
    before = (await card.locator("img").getAttribute("src")) ?? ""
    expect(
      await card.locator("img").evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
    ).toBe(200)
  }
  await expectAccessible(page)

  // Held back for a moment, so that there is time to see it travel.
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route("**/contacts/*/image", async (route) => {
    await held
    await route.continue()
  })
  const dropped = (await picture.clone().jpeg().toBuffer()).toString("base64")
  const dataTransfer = await page.evaluateHandle((base64) => {
    const transfer = new DataTransfer()
    transfer.items.add(
      new File([Uint8Array.from(atob(base64), (one) => one.charCodeAt(0))], "dropped.jpg", { type: "image/jpeg" }),
    )
    return transfer
  }, dropped)
  await card.getByText("Or drop it here").dispatchEvent("dragover", { dataTransfer })
  await card.getByText("Or drop it here").dispatchEvent("drop", { dataTransfer })
  await expect(card.locator("img")).toHaveAttribute("src", /^blob:/)
  await expect(card.getByRole("progressbar", { name: "Upload" })).toBeVisible()
  expect(
    await card.locator("img").evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
  ).toBe(300)
  await expectAccessible(page)
  release()
  await expect(card.getByRole("progressbar")).toHaveCount(0, { timeout: 20_000 })
  await expect(card.locator("img")).toHaveAttribute("src", /\/files\/images\//)
  await expect(card.locator("img")).not.toHaveAttribute("src", before)

  const svg = { name: "logo.png", mimeType: "image/png", buffer: readFileSync("app/icon.svg") }
  await card.getByLabel("Picture").setInputFiles(svg)
  await expect(card.getByRole("alert")).toHaveText("Must be a JPEG, PNG, WebP or GIF.")
  await card.getByRole("button", { name: "Remove" }).click()
  await expect(card.locator("img")).toHaveCount(0)
  expect(faults).toEqual([])
})

test("the part of a picture that is shown is chosen by the pointer and by sliders, of a still picture that is no square", async ({
  page,
}) => {
  const { faults } = watch(page)
  const shop = await createSampleOrganization(`pictures${test.info().workerIndex}`)
  await becomeOwner(page.context(), shop)
  await page.goto(`/projects/${shop.projectId}/contacts/${shop.ids.contactId}`)
  const card = page.getByRole("region", { name: "Picture" })
  const choose = card.getByRole("button", { name: "Choose the part shown" })
  // Red on the left, green in the middle, blue on the right; its file says that it lies on its side.
  const part = (background: string) => ({ create: { width: 200, height: 200, channels: 3 as const, background } })
  const strip = sharp({ create: { ...part("#00ff00").create, width: 600 } }).composite([
    { input: part("#ff0000"), left: 0, top: 0 },
    { input: part("#0000ff"), left: 400, top: 0 },
  ])
  const lying = await sharp(await strip.png().toBuffer())
    .rotate(-90)
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  const middle = async () => {
    const src = (await card.locator("img[width]").getAttribute("src")) ?? ""
    // Still on its way.
    if (src.startsWith("blob:")) return src
    const { data } = await sharp(await (await page.request.get(src)).body())
      .resize(1, 1)
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    return ["red", "green", "blue"][[...data].indexOf(Math.max(...data))]
  }
  await card.getByLabel("Picture").setInputFiles({ name: "strip.jpg", mimeType: "image/jpeg", buffer: lying })
  await expect(choose).toBeVisible({ timeout: 20_000 })
  expect(await middle()).toBe("green")

  await choose.click()
  const dialog = page.getByRole("dialog", { name: "Choose the part shown" })
  await dialog.getByLabel("Left to right").fill("0")
  await expectAccessible(page)
  await expectFits(page)
  await dialog.getByRole("button", { name: "Use this part" }).click()
  await expect.poll(middle, { timeout: 20_000 }).toBe("red")

  await choose.click()
  const frame = await dialog.locator("img").boundingBox()
  if (!frame) throw new Error("The picture is not shown.")
  await page.mouse.click(frame.x + frame.width * 0.9, frame.y + frame.height / 2)
  await dialog.getByRole("button", { name: "Use this part" }).click()
  await expect.poll(middle, { timeout: 20_000 }).toBe("blue")

  const square = await sharp(part("#123456")).png().toBuffer()
  await card.getByLabel("Picture").setInputFiles({ name: "square.png", mimeType: "image/png", buffer: square })
  await expect(choose).toHaveCount(0)
  expect(faults).toEqual([])
})
