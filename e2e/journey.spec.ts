import { expect, test } from "@playwright/test"
import { expectAccessible, expectLocked, press, tabTo, type, watch } from "@/e2e/support/browser"
import { coldLoad, mostBytes } from "@/e2e/support/cold-load"
import { freePorts } from "@/e2e/support/free-port"
import { wholeBrowser } from "@/e2e/support/launch"
import { startProduct, type Product } from "@/e2e/support/product"

const password = "correct horse battery staple"

// Tab goes through the frames of emails here.
test.use({ launchOptions: wholeBrowser })

// The first run happens once, so it has a product to itself.
let product: Product

test.beforeAll(async () => {
  test.setTimeout(300_000)
  product = await startProduct(await freePorts())
})

test.afterAll(() => product.stop())

test.describe.configure({ mode: "serial" })

test(`the page of the first run loads at most ${mostBytes / 1000} kB of scripts at first`, async ({ browser }) => {
  const { bytes } = await coldLoad(browser, product.setupUrl, "")
  expect(bytes).toBeGreaterThan(0)
  expect(bytes).toBeLessThanOrEqual(mostBytes)
})

test("seven clicks and four fields lead from the first-run link to a delivered email beside its verdicts", async ({
  page,
}) => {
  const { faults } = watch(page)
  const since = Date.now()
  let clicks = 1 // The link in the terminal.
  let fields = 0
  const fill = async (label: string, text: string) => {
    await page.getByLabel(label, { exact: true }).fill(text)
    fields += 1
  }
  const click = async (name: string) => {
    await page.getByRole("button", { name, exact: true }).click()
    clicks += 1
  }

  await page.goto(product.setupUrl)
  await expectAccessible(page)
  await expect(page.getByLabel("Your name")).toBeFocused()
  await fill("Your name", "Grace Hopper")
  await fill("Email address", "grace@example.com")
  await fill("Password", password)
  await fill("Organization", "Acme")
  await click("Create account")
  await expect(page).toHaveURL(/\/projects\/proj_[0-9a-z]{26}$/)

  const use = page.getByRole("button", { name: "Use acme.test", exact: true })
  await expect(use).toBeFocused()
  await expectAccessible(page)
  await click("Use acme.test")
  // A button under the pointer has another colour.
  await page.mouse.move(0, 0)
  const create = page.getByRole("button", { name: "Create API key", exact: true })
  await expect(create).toBeFocused({ timeout: 40_000 })
  await expect(page.getByText("DNS verified")).toBeVisible()
  await expectAccessible(page)
  const primary = await create.evaluate((button) => getComputedStyle(button).backgroundColor)
  await create.click()
  clicks += 1
  await page.mouse.move(0, 0)
  // It is shown this once, so the button that stands out is the one that keeps it.
  await expect(page.getByRole("button", { name: "Copy key" })).toHaveCSS("background-color", primary)
  await expect(page.getByRole("button", { name: "I have stored it" })).not.toHaveCSS("background-color", primary)
  await click("Copy key")
  await expectAccessible(page)
  await click("I have stored it")
  await expect(page.getByRole("button", { name: "Send", exact: true })).toBeFocused()
  await expectAccessible(page)
  await click("Send")

  await expect(page.getByRole("heading", { name: /^Delivered in \d+\.\d s$/ })).toBeVisible({ timeout: 20_000 })
  for (const check of ["DKIM", "SPF", "DMARC"]) {
    await expect(page.getByRole("listitem").filter({ hasText: new RegExp(`^${check} pass`) })).toBeVisible()
  }
  await expect(page.frameLocator("iframe").getByText("Hello Grace,")).toBeVisible()
  await expectAccessible(page)
  const seconds = (Date.now() - since) / 1_000
  process.stdout.write(`\nFirst run: ${clicks} clicks, ${fields} fields, ${seconds.toFixed(1)} s\n`)
  expect({ clicks, fields }).toEqual({ clicks: 7, fields: 4 })

  await page.reload()
  await expect(page.getByRole("heading", { name: /^Delivered in/ })).toBeVisible()
  await page.getByRole("button", { name: "Close guide" }).click()
  await expect(page.getByText("Last 7 full days")).toBeVisible()
  await page.reload()
  await expect(page.getByText("Last 7 full days")).toBeVisible()
  await expect(page.getByText("Get started")).toHaveCount(0)
  await expectAccessible(page)
  expect(faults).toEqual([])
})

test("from the sign-in to a delivered email on the live stream, by keyboard alone and without touching the database", async ({
  page,
  request,
}) => {
  test.setTimeout(300_000)
  const { faults } = watch(page)
  const header = page.getByRole("main").locator("header").first()
  const link = (name: string | RegExp) => page.getByRole("navigation").getByRole("link", { name })

  await test.step("sign-in", async () => {
    await page.goto(`${product.baseUrl}/sign-in`)
    await type(page, page.getByLabel("Email address"), "grace@example.com")
    await type(page, page.getByLabel("Password", { exact: true }), password)
    await page.keyboard.press("Enter")
    await expect(page).toHaveURL(/\/projects\/proj_[0-9a-z]{26}$/)
  })

  await test.step("a domain is added, its records are shown, and it verifies while the page is open", async () => {
    await press(page, link("Domains"))
    await expect(page.getByRole("heading", { level: 1, name: "Domains" })).toBeVisible()
    await expectAccessible(page)
    await press(page, page.getByRole("button", { name: "Add domain" }).first())
    const dialog = page.getByRole("dialog")
    await type(page, dialog.getByLabel("Domain", { exact: true }), "not a domain")
    await page.keyboard.press("Enter")
    await expect(dialog.getByText(/not a host|hostname|host name|letters|space/i).first()).toBeVisible()
    await type(page, dialog.getByLabel("Domain", { exact: true }), "shop.test")
    await page.keyboard.press("Enter")
    await expect(page.getByRole("heading", { level: 1 })).toContainText("shop.test")
    await expect(page.getByText(/v=DKIM1; k=rsa; p=/).first()).toBeVisible()
    await expectAccessible(page)
    await expect(header).toContainText("Verified", { timeout: 40_000 })
    await expectAccessible(page)
  })

  const apiKey = await test.step("an API key is made and shown once", async () => {
    await press(page, link("API keys"))
    await press(page, page.getByRole("button", { name: "Create key" }).first())
    const dialog = page.getByRole("dialog")
    await type(page, dialog.getByLabel("Name"), "Shop, production")
    await press(page, dialog.getByRole("button", { name: "Create key" }))
    const secret = dialog.getByText(/^mr_live_[0-9A-Za-z]{38}$/)
    await expect(secret).toBeVisible()
    const key = (await secret.textContent()) ?? ""
    await expectLocked(page, dialog)
    await press(page, dialog.getByRole("button", { name: "I have stored it" }))
    await expect(page.getByText("Shop, production")).toBeVisible()
    expect(await page.content()).not.toContain(key)
    await expectAccessible(page)
    // What was shown once comes back by no reload and no step in the history.
    for (const go of [() => page.reload(), () => page.goBack(), () => page.goForward()]) {
      await go()
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible()
      expect(await page.content()).not.toContain(key)
    }
    await expect(page.getByText("Shop, production")).toBeVisible()
    return key
  })

  await test.step("the live page shows the email being sent and delivered", async () => {
    await press(page, link("Live"))
    await expect(page.getByRole("status").getByText("Live")).toBeVisible()
    await expectAccessible(page)
    const sent = await request.post(`${product.baseUrl}/v1/emails`, {
      headers: { authorization: `Bearer ${apiKey}` },
      data: {
        from: "Acme <hello@shop.test>",
        to: ["ada@lovelace.example"],
        subject: "Your receipt",
        text: "Thank you.",
        html: "<p>Thank <b>you</b>.</p>",
      },
    })
    expect(sent.status()).toBe(201)
    const list = page.getByRole("main")
    await expect(list.getByText("ada@lovelace.example").filter({ visible: true }).first()).toBeVisible({
      timeout: 20_000,
    })
    await expect(list.getByText("Delivered").filter({ visible: true }).first()).toBeVisible({ timeout: 20_000 })
    await expectAccessible(page)
  })

  await test.step("the log and the detail of the email tell what happened", async () => {
    await press(page, link("Emails"))
    const row = page.getByRole("row").filter({ hasText: "Your receipt" })
    await expect(row).toContainText("Delivered")
    await expectAccessible(page)
    await press(page, row)
    await expect(page.getByRole("heading", { level: 1 })).toContainText("Your receipt")
    await expect(header).toContainText("Delivered")
    for (const tab of ["Text", "HTML", "SMTP session", "JSON", "Preview"]) {
      const selected = page.getByRole("tab", { selected: true })
      await tabTo(page, selected)
      for (let name = await selected.innerText(); name !== tab; name = await selected.innerText()) {
        await page.keyboard.press("ArrowRight")
        await expect(selected, "a press has moved on before the next one").not.toHaveText(name)
      }
      await expect(
        tab === "Preview" ? page.getByRole("tabpanel").locator("iframe") : page.getByRole("tabpanel"),
      ).toBeVisible()
      if (tab !== "Preview") await expect(page.getByRole("tabpanel")).not.toBeEmpty()
    }
    await expectAccessible(page)
  })

  await test.step("the sandbox mailbox holds it, signed and authorized", async () => {
    await press(page, link(/Sandbox/))
    const row = page.getByRole("row").filter({ hasText: "Your receipt" })
    await expect(row).toBeVisible()
    await expectAccessible(page)
    await press(page, row)
    await expect(page.getByText(/DKIM/).first()).toBeVisible()
    await expectAccessible(page)
  })

  await test.step("settings and overview; then signing out and in again", async () => {
    await press(page, link("Settings"))
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible()
    await expectAccessible(page)
    await press(page, link("Overview"))
    await expect(page.getByText("Latest problems")).toBeVisible()
    await expectAccessible(page)
    await press(page, page.getByRole("button", { name: /grace/i }).first())
    await page.getByRole("menuitem", { name: "Sign out" }).focus()
    await page.keyboard.press("Enter")
    await expect(page).toHaveURL(/\/sign-in/)
    await expectAccessible(page)
    await type(page, page.getByLabel("Email address"), "grace@example.com")
    await type(page, page.getByLabel("Password", { exact: true }), "a wrong password")
    await page.keyboard.press("Enter")
    await expect(page.getByText("Incorrect email or password")).toBeVisible()
    await type(page, page.getByLabel("Password", { exact: true }), password)
    await page.keyboard.press("Enter")
    await expect(page).toHaveURL(/\/projects\/proj_/)
  })

  const token = new URL(product.setupUrl).searchParams.get("token") ?? ""
  expect(token.length).toBeGreaterThan(20)
  expect(
    product.output().split(token),
    "the link of the first run is where it was printed, and nowhere else",
  ).toHaveLength(2)
  expect(product.output()).not.toContain(password)
  expect(faults).toEqual([])
})
