import { randomBytes } from "node:crypto"
import { expect, test } from "@playwright/test"
import { expectAccessible, overflowPx, watch } from "@/e2e/support/browser"
import { freePorts } from "@/e2e/support/free-port"
import { runAdmin, startProduct, type Product } from "@/e2e/support/product"
import { emailsTo, linkTo, startRelay, type Relay } from "@/e2e/support/relay"

// Two cells of one service, each a product of its own: people sign in at the address of the cell that has their organization.

const ada = { email: "ada@analytical.example", password: "correct horse battery staple" }
const nobody = "nobody@analytical.example"
const products: Product[] = []
let relay: Relay

test.beforeAll(async () => {
  test.setTimeout(300_000)
  relay = await startRelay("of the cells")
  const [eu1, us1] = [await freePorts(), await freePorts()]
  const shared = {
    CELLS: `eu1=http://localhost:${eu1.web} us1=http://localhost:${us1.web}`,
    SECRET_KEY: randomBytes(32).toString("base64"),
    SMTP_URL_AP_SOUTHEAST_1: relay.url,
    WEB_PROCESSES: "1",
  }
  for (const [CELL, ports] of Object.entries({ eu1, us1 })) {
    const product = await startProduct(ports, { ...shared, CELL })
    products.push(product)
    const email = CELL === "us1" ? ada.email : "grace@cobol.example"
    const owner = ["--email", email, "--password", ada.password, "--organization", CELL, "--project", "main"]
    const cell = { ...shared, CELL, DATABASE_URL: "", DATA_DIR: product.dataDir, BASE_URL: product.baseUrl }
    await runAdmin(cell, "bootstrap", ...owner, "--region", "eu-west-1")
  }
})

test.afterAll(async () => {
  for (const product of products) await product.stop()
  await relay?.stop()
})

test("who opens the sign-in page of another cell gets the address of their own by email, and signs in there", async ({
  page,
}) => {
  test.setTimeout(120_000)
  const [eu1, us1] = products
  const { faults } = watch(page)
  const ask = async (email: string) => {
    await page.goto(`${eu1?.baseUrl}/sign-in`)
    await page.getByRole("button", { name: "Find your sign-in address" }).click()
    await page.getByLabel("Email address").fill(email)
    await page.getByRole("button", { name: "Email me where to sign in" }).click()
    await expect(page.getByRole("status")).toHaveText(
      new RegExp(`If ${email} has an account, an email with the addresses to sign in at is on its way.`),
    )
  }

  await page.goto(`${eu1?.baseUrl}/sign-in`)
  await page.getByRole("button", { name: "Find your sign-in address" }).click()
  await expect(page.getByText("Each organization signs in at one of several web addresses.")).toBeVisible()
  await expect(page.getByLabel("Email address")).toBeFocused()
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await overflowPx(page)).toBeLessThanOrEqual(0)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole("button", { name: "Email me where to sign in" }).click()
  await expect(page.getByText("Enter your address.")).toBeVisible()
  await page.getByRole("button", { name: "Back" }).click()
  await expect(page.getByLabel("Password", { exact: true })).toBeVisible()

  // The page says the same of an address without an account, and nothing is sent to it.
  await ask(nobody)
  await expectAccessible(page)
  await ask(ada.email)
  const link = await linkTo(ada.email, /^Your sign-in address for Mailroom$/, relay.folder)
  expect(link.href).toBe(`${us1?.baseUrl}/sign-in`)
  expect(await emailsTo(nobody, relay.folder)).toEqual([])

  // As a link in an email is opened: a page of its own, since `watch` lets a page ask its own address alone.
  const opened = await page.context().newPage()
  const { faults: faultsThere } = watch(opened)
  await opened.goto(link.href)
  await opened.getByLabel("Email address").fill(ada.email)
  await opened.getByLabel("Password", { exact: true }).fill(ada.password)
  await opened.getByRole("button", { name: "Sign in", exact: true }).click()
  await expect(opened.getByRole("navigation").getByRole("link", { name: "Emails" })).toBeVisible()
  expect(new URL(opened.url()).origin).toBe(us1?.baseUrl)
  expect([...faults, ...faultsThere]).toEqual([])
})
