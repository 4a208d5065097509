import { expect, test, type BrowserContext, type Page } from "@playwright/test"
import type pg from "pg"
import { expectAccessible, watch } from "@/e2e/support/browser"
import { becomeOwner, productDatabase } from "@/e2e/support/signed-in"
import { createSampleOrganization, type SampleOrganization } from "@/e2e/support/sample-organization"
import type { Cause } from "@/lib/explanation/record-words"
import type { RecordState } from "@/lib/domains/records/records"
import { reportOf } from "@/e2e/support/domains/dmarc-reports"
import { decodeId } from "@/lib/platform/ids"

let own: SampleOrganization
let database: pg.Client

test.beforeAll(async ({ browserName: _browser }, info) => {
  own = await createSampleOrganization(`dns-${info.workerIndex}`)
  database = await productDatabase()
})
test.afterAll(() => database?.end())

test("invalid records are told from valid ones and fixed, and all records can be copied and renamed", async ({
  page,
  context,
}) => {
  const { faults } = watch(page)
  const domain = await addDomain("fixed")
  const spf = `v=spf1 include:spf.eu-west-1.mailroom.test ~all`
  const likelyCause: Cause = { code: "spf-not-passing", facts: { include: "spf.eu-west-1.mailroom.test" } }
  await show(domain, { hosting: cloudflare("fixed") }, (record) => {
    if (record.key === "mail-from-spf") return { ...record, found: ["v=spf1 include:other.example ~all"], likelyCause }
    if (record.key === "dmarc")
      return {
        ...record,
        found: ["v=DMARC1; p=reject"],
        policy: { kind: "policy", name: "_dmarc.fixed.test", texts: ["v=DMARC1; p=reject"] },
      }
    return record.key === "dkim-a" ? { ...record, status: "verified" } : record
  })
  await open(page, context, domain)
  const records = page.getByRole("region", { name: "DNS records" })
  const row = records.getByRole("row").filter({ hasText: spf })
  await expect(row).toContainText("Wrong value")
  await expect(row).toContainText("Found")
  await expect(row.locator("mark")).toHaveText("other.example")
  await expect(row).toContainText("Add include:spf.eu-west-1.mailroom.test before the last term.")
  const state = page.getByRole("region", { name: "State of the domain" })
  await expect(state.getByTitle("include:spf.eu-west-1.mailroom.test")).toBeVisible()
  await expect(state.getByRole("button", { name: "Copy term" })).toBeVisible()
  await expect(records.getByRole("link", { name: /Open DNS at Cloudflare/ })).toHaveAttribute(
    "href",
    /dash\.cloudflare\.com.*fixed\.test/,
  )
  await expectGood(page)

  await test.step("hosts are written as the form wants them", async () => {
    await expect(records.getByText("_dmarc", { exact: true })).toBeVisible()
    await records.getByRole("radio", { name: "Whole host" }).check()
    await expect(records.getByText("_dmarc.fixed.test", { exact: true })).toBeVisible()
    await records.getByRole("radio", { name: "As Cloudflare wants it" }).check()
    await records.getByRole("button", { name: "Copy priority of the MX record send.fixed.test" }).click()
    expect(await clipboard(page)).toBe("10")
  })

  await test.step("all is copied in the form that a tool takes, and nothing is added beside existing records", async () => {
    const zone = await copyAll(page, /^As BIND zone file/)
    expect(zone).toContain("$ORIGIN fixed.test.")
    expect(zone).toMatch(/^send\.fixed\.test\. 300 IN MX 10 feedback/m)
    expect(zone).toMatch(/^; replaces the current record: v=DMARC1; p=reject\n; _dmarc\.fixed\.test\. /m)
    expect(zone).toMatch(/^; replaces the current record: v=spf1 include:other\.example ~all\n; send\.fixed\.test\. /m)
    const { posts } = JSON.parse(await copyAll(page, /^As Cloudflare API JSON/))
    expect(posts.map(({ type, name }: Record<string, string>) => `${type} ${name}`)).toEqual([
      expect.stringMatching(/^TXT mr\w{6}b\._domainkey\.fixed\.test$/),
      "MX send.fixed.test",
      "CNAME links.fixed.test",
    ])
    expect(await copyAll(page, /^As Terraform for Route 53/)).toContain(
      'resource "aws_route53_record" "fixed_test_mail_from_mx" {',
    )
    expect(await copyAll(page, /^As text/)).toContain(
      `Value:    ${spf}\nNote:     replaces the current record: v=spf1 include:other.example ~all`,
    )
  })

  await test.step("the names change before verification, and an error is shown beside its field", async () => {
    await page.getByRole("button", { name: "Change names" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("MAIL FROM domain").fill("mail.elsewhere.test")
    await dialog.getByRole("button", { name: "Change names" }).click()
    await expect(dialog.getByLabel("MAIL FROM domain")).toHaveAttribute("aria-invalid", "true")
    await dialog.getByLabel("MAIL FROM domain").fill("mail.fixed.test")
    await dialog.getByRole("button", { name: "Change names" }).click()
    await expect(dialog).toBeHidden()
    await expect(records.getByRole("row").filter({ hasText: "feedback." })).toContainText("mail")
    await expect(row.locator("mark")).toHaveCount(0)
  })

  await test.step("Verify now sees the fixed records at once, and the checks show it", async () => {
    await show(domain, { created_at: new Date(Date.now() - 3_600_000) })
    await page.getByRole("button", { name: "Verify now" }).click()
    await expect(page.getByText("All required records are in place.").first()).toBeVisible()
    await expect(page.getByRole("banner").or(page.locator("header")).getByText("Verified").first()).toBeVisible()
    await expect(page.getByRole("button", { name: "Change names" })).toHaveCount(0)
    await expect(page.getByRole("region", { name: "Checks" })).toContainText(
      "The domain is verified: you can send from it",
    )
  })
  expect(faults).toEqual([])
})

test("a verified domain is diagnosed, its key rotated, its checks read page by page, and it is deleted", async ({
  page,
  context,
}) => {
  const { faults } = watch(page)
  const { domainId = "" } = own.ids
  await open(page, context, domainId)
  const records = page.getByRole("region", { name: "DNS records" })

  await test.step("each name server says what it answers", async () => {
    await page.getByRole("button", { name: "Ask each server" }).click()
    const answers = page.getByRole("table", { name: "What each name server answers" })
    await expect(answers.getByText("As expected")).toHaveCount(6)
    await expect(page.getByRole("button", { name: "Ask again" })).toBeVisible()
  })

  await test.step("the key is rotated, and the old value stays beside the new one for as long as it must", async () => {
    await page.getByRole("button", { name: "Rotate key" }).click()
    const question = page.getByRole("alertdialog")
    await expect(question).toContainText("The old private key is destroyed at once")
    await question.getByRole("button", { name: "Rotate key" }).click()
    await expect(question).toBeHidden()
    const idle = records.getByRole("row").filter({ hasText: "Old value" })
    await expect(idle).toContainText("Keep it")
    await expect(idle).toContainText("Not yet")
    await expect(page.getByRole("button", { name: "Rotate key" })).toBeDisabled()
    await expectGood(page)

    const past = new Date(Date.now() - 1_000).toISOString()
    await show(domainId, { checked_at: new Date() }, (record) =>
      record.retired ? { ...record, retired: { ...record.retired, keepUntil: past } } : record,
    )
    await page.reload()
    await expect(idle).toContainText("Replace it")
    await expect(idle.getByText("Replace", { exact: true })).toBeVisible()
  })

  await test.step("the checks go back page by page", async () => {
    await database.query(
      `INSERT INTO domain_checks (id, project_id, domain_id, status, findings)
        SELECT uuidv7(), project_id, id, status, '[]' FROM domains, generate_series(1, 60) WHERE id = $1`,
      [decodeId("dom", domainId)],
    )
    await page.getByRole("button", { name: "All checks" }).click()
    const dialog = page.getByRole("dialog")
    await expect(dialog.getByRole("navigation", { name: "Pages" })).toContainText("Page 1 of 2")
    await expectAccessible(page)
    await dialog.getByRole("button", { name: "Next" }).click()
    await expect(dialog.getByText("The domain is verified: you can send from it")).toHaveCount(1)
    await page.keyboard.press("Escape")
  })

  await test.step("it is deleted by its name", async () => {
    await page.getByRole("button", { name: "Delete domain" }).click()
    const question = page.getByRole("alertdialog")
    await expect(question.getByRole("button", { name: "Delete domain" })).toBeDisabled()
    await expect(question).toContainText(
      /(No mail is waiting to leave|still leaves?, including retries).*(scheduled|Scheduled)/,
    )
    await question.getByRole("textbox").fill(`dns-${test.info().workerIndex}.test`)
    await question.getByRole("button", { name: "Delete domain" }).click()
    await expect(page.getByRole("heading", { name: "Domains", level: 1 })).toBeVisible()
    await expect(page.getByRole("table").getByText(`dns-${test.info().workerIndex}.test`)).toHaveCount(0)
  })
  expect(faults).toEqual([])
})

test("a domain that has lost records shows which, the consequence and where to fix it, in the sandbox too", async ({
  page,
  context,
}) => {
  const { faults } = watch(page)
  const domain = await addDomain("lost")
  const lost =
    (status: "pending" | "failed") =>
    (record: RecordState): RecordState =>
      record.key.startsWith("mail-from") ? { ...record, status, found: [] } : { ...record, status: "verified" }
  const verified = { verified_at: new Date(Date.now() - 86_400_000), hosting: cloudflare("lost") }
  await show(
    domain,
    {
      ...{ ...verified, status: "degraded", dkim_status: "verified", mail_from_status: "pending" },
      missing_since: new Date(Date.now() - 20.5 * 3_600_000),
    },
    lost("pending"),
  )
  await open(page, context, domain)
  const records = page.getByRole("region", { name: "DNS records" })
  const state = page.getByRole("region", { name: "State of the domain" })
  await expect(state).toContainText("2 records are missing: MAIL FROM MX, MAIL FROM SPF.")
  await expect(state).toContainText(/The domain stops sending on .+, in 51 hours\. Publish them again/)
  await expect(records.getByText("Missing", { exact: true })).toHaveCount(2)
  await expect(records.getByRole("link", { name: /Open DNS at Cloudflare/ })).toBeVisible()
  await expectGood(page)

  await test.step("each name server is asked once its card is seen, and again by a press", async () => {
    const servers = page.getByRole("region", { name: "Name servers" })
    await servers.scrollIntoViewIfNeeded()
    await expect(servers.getByRole("table", { name: "What each name server answers" })).toBeVisible()
    const again = page.waitForResponse((response) => response.url().endsWith("/diagnosis"))
    await servers.getByRole("button", { name: "Ask again" }).click()
    expect((await again).ok()).toBe(true)
  })

  await test.step("where one record is missing, its value is copied from beside the sentence", async () => {
    await show(domain, {}, (record) => (record.key === "mail-from-spf" ? { ...record, status: "verified" } : record))
    await page.reload()
    await expect(state).toContainText("A record is missing: MAIL FROM MX.")
    // The button works once its code has come.
    await expect(async () => {
      await state.getByRole("button", { name: "Copy value" }).click()
      expect(await clipboard(page)).toMatch(/^feedback\./)
    }).toPass({ timeout: 20_000 })
    await expectAccessible(page)
    await show(domain, {}, lost("pending"))
  })

  await test.step("the list says the same of it, and of its logo where there is room", async () => {
    await page.goto(`/projects/${own.projectId}/domains`)
    const row = page.getByRole("table", { name: "Domains" }).getByRole("row").filter({ hasText: "lost.test" })
    await expect(row).toContainText("Degraded")
    await expectGood(page)
    await expect(row.getByText("No logo")).toBeHidden()
    await page.setViewportSize({ width: 1920, height: 1080 })
    await expect(row.getByText("No logo")).toBeVisible()
    await expect(page.getByRole("columnheader", { name: "BIMI" })).toBeVisible()
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goBack()
  })

  await page.goto(`/projects/${own.projectId}`)
  const alerts = page.getByRole("region", { name: "Needs attention" })
  await expect(alerts).toContainText(/The domain stops sending on .+, in 51 hours\./)
  await expect(alerts.getByRole("list", { name: /^Records that/ }).getByRole("listitem")).toHaveCount(2)
  // The button works once the code of the records has come.
  await expect(async () => {
    await alerts.getByRole("button", { name: "Copy value" }).first().click()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("feedback")
  }).toPass({ timeout: 20_000 })
  await expect(
    page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: /^Domains/ }),
  ).toHaveAccessibleName(/1 degraded/)
  await expectGood(page)
  await page.goBack()

  await show(
    domain,
    { name: `lost-${test.info().workerIndex}.example`, status: "failed", mail_from_status: "failed" },
    lost("failed"),
  )
  await page.reload()
  await expect(state).toContainText("Not in place for 72 hours: MAIL FROM MX, MAIL FROM SPF.")
  await expect(records.getByText("Missing", { exact: true })).toHaveCount(2)
  await expect(records.getByRole("link", { name: /Open DNS at Cloudflare/ })).toBeVisible()
  await expectGood(page)
  expect(faults).toEqual([])
})

async function open(page: Page, context: BrowserContext, domainId: string) {
  await context.grantPermissions(["clipboard-read", "clipboard-write"])
  await becomeOwner(context, own)
  await page.goto(`/projects/${own.projectId}/domains/${domainId}`)
}

/** Registers `<name>.test`; its id. The worker's own checks do not come between the states that a test writes. */
async function addDomain(name: string): Promise<string> {
  const answer = await fetch(`${own.baseUrl}/v1/projects/${own.projectId}/domains`, {
    method: "POST",
    headers: { authorization: `Bearer ${own.apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ domain: `${name}.test`, region: "eu-west-1" }),
  })
  const { id } = (await answer.json()) as { id: string }
  await show(id, {})
  return id
}

/** A domain has states of these once it was checked. */
const recordKeys = ["dkim-a", "dkim-b", "mail-from-mx", "mail-from-spf", "dmarc", "tracking"] as const

/** Writes a state of a domain that would take days to come by itself. */
async function show(domainId: string, columns: Record<string, unknown>, change = (record: RecordState) => record) {
  const id = decodeId("dom", domainId)
  const { rows } = await database.query<{ records: RecordState[] }>("SELECT records FROM domains WHERE id = $1", [id])
  const states = recordKeys.map(
    (key): RecordState => rows[0]?.records.find((state) => state.key === key) ?? { key, status: "pending", found: [] },
  )
  const written = {
    // As after a check with the names of this installation.
    ...{ checked_service_domain: "mailroom.test", checked_report_domain: "dmarc.mailroom.test" },
    ...columns,
    records: JSON.stringify(states.map(change)),
    due_at: new Date(Date.now() + 86_400_000),
  }
  const sets = Object.keys(written).map((column, index) => `${column} = $${index + 2}`)
  await database.query(`UPDATE domains SET ${sets.join(", ")} WHERE id = $1`, [id, ...Object.values(written)])
}

function cloudflare(name: string) {
  return JSON.stringify({ zone: `${name}.test`, nameServers: ["ada.ns.cloudflare.com", "rob.ns.cloudflare.com"] })
}

async function copyAll(page: Page, format: RegExp): Promise<string> {
  await page.evaluate(() => navigator.clipboard.writeText(""))
  await page.getByRole("button", { name: "Copy all" }).click()
  const item = page.getByRole("menuitem", { name: format })
  await expect(item).toBeEnabled()
  await item.click()
  await expect.poll(() => clipboard(page)).not.toBe("")
  return clipboard(page)
}

function clipboard(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText())
}

/** axe in light and dark, and no sideways scroll at the width of a phone and of a tablet. */
async function expectGood(page: Page) {
  await expectAccessible(page)
  const size = page.viewportSize()
  await page.setViewportSize({ width: 768, height: 1024 })
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow, `${page.url()} scrolls sideways at 768 px`).toBeLessThanOrEqual(0)
  if (size) await page.setViewportSize(size)
}

test("reports of receivers are uploaded together, each with its result, and are summed up", async ({
  page,
  context,
}) => {
  const { faults } = watch(page)
  const domain = await addDomain("reports")
  await open(page, context, domain)
  const card = page.getByRole("region", { name: "DMARC reports" })
  await card.scrollIntoViewIfNeeded()
  await expect(card).toContainText("No reports yet")
  const name = "reports.test"
  const records = [{ count: 9 }, { count: 1, address: "198.51.100.7", dkim: "fail", spf: "fail", auth: "" } as const]
  const files = [
    { name: "good.xml", mimeType: "text/xml", buffer: Buffer.from(reportOf({ domain: name, records })) },
    { name: "other.xml", mimeType: "text/xml", buffer: Buffer.from(reportOf({ domain: "other.example" })) },
    { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("hello") },
  ]
  await card.getByLabel("DMARC reports").setInputFiles(files)
  const results = card.getByRole("list", { name: "Results" })
  await expect(card).toContainText("1 added, 0 known already, 2 refused")
  await expect(results.getByRole("listitem").filter({ hasText: "good.xml" })).toContainText(
    "receiver.example, 10 messages",
  )
  await expect(results.getByRole("listitem").filter({ hasText: "other.xml" })).toContainText("about other.example")
  await expect(results.getByRole("listitem").filter({ hasText: "notes.txt" })).toContainText("neither XML")
  await expect(card).toContainText("90%")
  await expect(
    card.getByRole("table", { name: "Sources" }).getByRole("row").filter({ hasText: "198.51.100.7" }),
  ).toContainText("Unknown")
  await expectAccessible(page)
  expect(faults).toEqual([])
})

test("a logo that cannot be used is refused at its field, and the checklist says what is missing", async ({
  page,
  context,
}) => {
  const { faults } = watch(page)
  const domain = await addDomain("logo")
  await open(page, context, domain)
  const card = page.getByRole("region", { name: "BIMI" })
  await card.scrollIntoViewIfNeeded()
  await expect(card.getByRole("list", { name: "Requirements for showing the logo" })).toContainText("certificate")
  await card.getByRole("button", { name: "Set logo" }).click()
  const dialog = page.getByRole("dialog", { name: "Set logo" })
  await dialog.getByLabel("Logo").fill("https://10.0.0.1/logo.svg")
  await dialog.getByRole("button", { name: "Save" }).click()
  await expect(dialog).toContainText("the address is not public")
  await page.keyboard.press("Escape")
  expect(faults).toEqual([])
})
