import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test, type Page } from "@playwright/test"
import { SMTPServer } from "smtp-server"
import { expectAccessible, watch } from "@/e2e/support/browser"
import { freePort, freePorts } from "@/e2e/support/free-port"
import { startKnot, type Knot } from "@/e2e/support/knot"
import { admin, removeData, startProduct, type Product } from "@/e2e/support/product"

// What a new user does to send from a domain of their own: every default of the forms, the operator's three steps to the letter, a real
// name server and a relay that reports nothing, as the page recommends it.

const zone = "acme-shop.example"
const service = `mail.${zone}`
const person = { email: "nora@acme-shop.example", password: "correct horse battery staple" }

let knot: Knot
let product: Product
let dataDir = ""
let relay: SMTPServer
let relayPort = 0
const taken: string[] = []

test.beforeAll(async () => {
  test.setTimeout(300_000)
  knot = await startKnot(zone)
  relayPort = await freePort()
  relay = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    logger: false,
    onData(stream, session, done) {
      taken.push(...session.envelope.rcptTo.map(({ address }) => address))
      stream.resume().on("end", () => done())
    },
  })
  relay.listen(relayPort, "127.0.0.1")
  dataDir = mkdtempSync(join(tmpdir(), "mailroom-own-domain-"))
})

test.afterAll(async () => {
  await product?.stop()
  removeData(dataDir)
  await knot.stop()
  relay.close()
})

async function start(variables: Record<string, string>, ports: Awaited<ReturnType<typeof freePorts>>) {
  return startProduct(ports, { DNS_SERVERS: `127.0.0.1:${knot.port}`, ...variables }, dataDir)
}

/** What a button copies: `text/plain` of the clipboard. */
async function copied(page: Page, press: () => Promise<void>): Promise<string> {
  await page.evaluate(() => navigator.clipboard.writeText(""))
  await press()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).not.toBe("")
  return page.evaluate(() => navigator.clipboard.readText())
}

test("a domain that was added before the operator's steps verifies with what its page shows after them, and its email says what is known of it", async ({
  page,
  context,
}) => {
  test.setTimeout(400_000)
  const ports = await freePorts()
  product = await start({}, ports)
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: product.baseUrl })
  const { faults } = watch(page)

  await test.step("first run, with the defaults of every form", async () => {
    await page.goto(product.setupUrl)
    await page.getByLabel("Your name").fill("Nora Marsh")
    await page.getByLabel("Email address").fill(person.email)
    await page.getByLabel("Password", { exact: true }).fill(person.password)
    await page.getByLabel("Organization", { exact: true }).fill("Acme Shop")
    await page.getByRole("button", { name: "Create account" }).click()
    await page.getByRole("link", { name: "Use your own domain" }).click()
    await page.getByRole("dialog").getByLabel("Domain", { exact: true }).fill(`https://www.${zone}/`)
    await page.getByRole("dialog").getByLabel("Domain", { exact: true }).fill(zone)
    await page.keyboard.press("Enter")
    await expect(page.getByRole("heading", { level: 1 })).toContainText(zone)
  })
  const address = page.url()
  const setUp = page.getByRole("region", { name: "Sending set-up" })
  const records = page.getByRole("region", { name: "DNS records" })

  const steps = await test.step("the page has three steps for the operator", async () => {
    await expect(setUp).toContainText("This installation cannot send yet. Three steps set it up.")
    return copied(page, () => setUp.getByRole("button", { name: "Copy all steps" }).click())
  })
  expect(steps).toContain("SERVICE_DOMAIN=mailroom.example.com")
  expect(steps).toContain("SMTP_URL_US_EAST_1=")

  await test.step("two of them are done, and the records follow the new name at once", async () => {
    // What the page asks for while the service restarts is not of interest.
    await page.goto("about:blank")
    await product.hangUp()
    expect(product.output(), "with its terminal, it stops as with Ctrl-C").toMatch(/Stopped\.\s*$/)
    const url = `smtp://127.0.0.1:${relayPort}?tls=none&delivered=never`
    product = await start({ SERVICE_DOMAIN: service, SMTP_URL_US_EAST_1: url }, ports)
    await page.goto(address)
    await expect(records).toContainText(`feedback.us-east-1.${service}`)
    await expect(records).toContainText(`include:spf.us-east-1.${service}`)
    await expect(page.getByText("mailroom.test")).toHaveCount(0)
    // The third step stays until its records are found.
    await expect(setUp).toContainText("Its own records are missing")
    await expect(setUp.getByText("Not found yet. Checked every 5 seconds.")).toHaveCount(2)
    await expectAccessible(page)
  })

  await test.step("published exactly as shown, the domain verifies", async () => {
    const text = await copied(page, async () => {
      await page.getByRole("button", { name: "Copy all", exact: true }).click()
      await page.getByRole("menuitem", { name: /^As BIND zone file/ }).click()
    })
    const own = text.split("\n").filter((line) => !line.startsWith("$"))
    const operators = [
      `spf.us-east-1.mail 1 IN TXT "v=spf1 ip4:127.0.0.1 -all"`,
      "feedback.us-east-1.mail 1 IN A 127.0.0.1",
    ]
    await knot.publish([...own, ...operators, ""].join("\n"))
    await expect(async () => {
      await page.getByRole("button", { name: "Verify now" }).click()
      await expect(page.getByRole("main").locator("header").first()).toContainText("Verified", { timeout: 10_000 })
    }).toPass({ timeout: 120_000 })
    await expect(records.getByText("Wrong value")).toHaveCount(0)
    await expect(setUp).toHaveCount(0, { timeout: 20_000 })
    await expectAccessible(page)
  })

  await test.step("an email ends at sent, and nothing calls it not delivered", async () => {
    const project = /proj_\w+/.exec(address)?.[0] ?? ""
    const { apiKey } = await admin(
      dataDir,
      "create-key",
      "--project",
      project,
      "--name",
      "own domain",
      "--permissions",
      "emails:send",
    )
    const answer = await fetch(`${product.baseUrl}/v1/emails`, {
      method: "POST",
      headers: { authorization: `Bearer ${String(apiKey)}`, "content-type": "application/json" },
      body: JSON.stringify({ from: `shop@${zone}`, to: ["ada@lovelace.example"], subject: "Your order", text: "Hi" }),
    })
    expect(answer.status).toBe(201)
    const { id } = (await answer.json()) as { id: string }
    await expect.poll(() => taken).toEqual(["ada@lovelace.example"])
    await page.goto(`${product.baseUrl}/projects/${project}/emails/${id}`)
    const main = page.getByRole("main")
    await expect(main).toContainText("reports nothing further")
    await expect(main.getByText("More to come")).toHaveCount(0)
    await expectAccessible(page)
    await page.goto(`${product.baseUrl}/projects/${project}/metrics`)
    await expect(main).toContainText("Sent, delivery not reported")
    await expect(main).not.toContainText(/Not delivered\s*[1-9]/)
    // Nobody knows, which is not 0.
    await expect(main.getByRole("term").filter({ hasText: /^Delivered$/ })).toHaveCount(0)
    const rates = page.getByRole("table", { name: "Rates" })
    await expect(rates.getByRole("row", { name: /^Delivered/ })).toContainText("–")
    await expect(rates.getByRole("row", { name: /^Delivery not reported/ })).toContainText("100.00%")
    await expectAccessible(page)
  })
  expect(faults).toEqual([])
})
