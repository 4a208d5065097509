import { writeFileSync } from "node:fs"
import { expect, test, type Browser, type BrowserContext, type Locator, type Page } from "@playwright/test"
import { allPages } from "@/e2e/support/pages"
import { addImport, createSampleOrganization, type SampleOrganization } from "@/e2e/support/sample-organization"
import { becomeOwner } from "@/e2e/support/signed-in"

let own: SampleOrganization

test.beforeAll(async ({ browserName: _browser }, info) => {
  own = await createSampleOrganization(`felt-${info.workerIndex}`)
})

const entries = (page: Page) => page.getByRole("navigation", { name: "Main" }).getByRole("link")

test("rows of before are dimmed while a search or a filter is under way", async ({ page, context }) => {
  await becomeOwner(context, own)
  const lists = [
    ["contacts", "Contacts", "Address or name"],
    ["suppressions", "Suppressed addresses", "Address or part of it"],
    ["logs/audit", "Audit entries", "ID or address that was changed"],
  ] as const
  for (const [path, card, field] of lists) {
    await page.goto(`/projects/${own.projectId}/${path}`)
    await expect(entries(page).filter({ hasText: "Domains" })).toHaveText("Domains1")
    await expect(page.locator("main .animate-pulse")).toHaveCount(0)
    let answer = () => undefined as void
    const asked = new Promise<void>((resolve) => (answer = resolve))
    await page.route(/\/v1\//, async (route) => {
      await asked
      await route.continue()
    })
    await page.getByRole("searchbox", { name: field }).fill("nobody-by-this-name")
    await expect(page.getByRole("region", { name: card, exact: true })).toHaveCSS("opacity", "0.6")
    answer()
    await expect(page.getByRole("region", { name: card, exact: true })).toHaveCSS("opacity", "1")
    await page.unrouteAll({ behavior: "wait" })
  }
})

test("the first press marks a row or an entry with nothing coming over the network", async ({ page, context }) => {
  await becomeOwner(context, own)
  for (const path of ["contacts", "domains", "topics", "segments", "emails"]) {
    await page.goto(`/projects/${own.projectId}/${path}`)
    // The counts come once the page answers to its reader.
    await expect(entries(page).filter({ hasText: "Domains" })).toHaveText("Domains1")
    await page.route("**", () => undefined)
    const row = page.locator("main [data-row]").first()
    await row.click({ position: { x: 60, y: 10 }, noWaitAfter: true })
    await expect(row, `a row of ${path}`).toHaveClass(/(^| )bg-wait-soft( |$)/)
    const others = entries(page).and(page.locator(":not([aria-current])"))
    for (const entry of path === "emails" ? await others.all() : [others.last()]) {
      await entry.click({ noWaitAfter: true })
      await expect(entry, `from ${path}`).toHaveClass(/(^| )bg-panel( |$)/)
    }
    await page.unrouteAll({ behavior: "ignoreErrors" })
  }
})

const slow = { offline: false, latency: 400, downloadThroughput: 400_000, uploadThroughput: 400_000 }

// Times of a browser are told apart only on a machine that does nothing else, so this is for `npm run test:long`.
test("how soon each page paints and answers a click, on a slow network and a slow processor", async ({
  browser,
  baseURL,
}, info) => {
  test.skip(process.env.MAILROOM_LONG !== "1", "part of npm run test:long")
  test.setTimeout(1_800_000)
  const only = new RegExp(process.env.MAILROOM_PAGES ?? ".")
  const ids = { ...own.ids, importId: await addImport(own) }
  const lines: string[] = []
  for (const { template, path } of allPages(ids)) {
    if (!template.startsWith("/projects/") || !only.test(template)) continue
    const felt = await feltOn(browser, `${baseURL}${path}`)
    lines.push(
      `${template.replace("/projects/[projectId]", "…").padEnd(34)} ${ms(felt.paint)} ${ms(felt.first)} ${ms(felt.later)} ${ms(felt.row)}`,
    )
    process.stdout.write(`${lines.at(-1)}\n`)
  }
  const table = ["page, first paint, the first press marked, a later one, a row, in ms", ...lines].join("\n")
  writeFileSync(info.outputPath("felt.txt"), `${table}\n`)
  expect(lines).not.toEqual([])
})

const ms = (value: number | null) => (value === null ? "-" : value.toFixed(0)).padStart(6)

/** Three cold loads: in the first the press is the first that the page hears of its reader, as on a phone. */
async function feltOn(browser: Browser, url: string) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  await becomeOwner(context, own)
  const entry = (page: Page) => entries(page).filter({ hasText: url.includes("/topics") ? "Properties" : "Topics" })
  const untouched = await slowPage(context, url)
  const paint = await untouched.evaluate(
    () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN,
  )
  const first = await pressed(untouched, entry(untouched))
  await untouched.close()
  const later = await touched(context, url, entry)
  const row = await touched(context, url, (page) => page.locator("main tr[data-row]").first())
  await context.close()
  return { paint, first, later, row }
}

async function touched(context: BrowserContext, url: string, target: (page: Page) => Locator): Promise<number | null> {
  const page = await slowPage(context, url)
  await page.mouse.move(600, 500)
  await page.waitForTimeout(2_500)
  const answer = (await target(page).count()) > 0 ? await pressed(page, target(page)) : null
  await page.close()
  return answer
}

async function slowPage(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage()
  const wire = await context.newCDPSession(page)
  await wire.send("Network.enable")
  await wire.send("Network.emulateNetworkConditions", slow)
  await wire.send("Emulation.setCPUThrottlingRate", { rate: 4 })
  await page.goto(url, { waitUntil: "load", timeout: 60_000 })
  await page.waitForTimeout(2_500)
  return page
}

/** From the press, as the browser stamps it, to the end of the first frame in which the link or row looks another way. */
async function pressed(page: Page, target: Locator): Promise<number> {
  const watched = await target.evaluateHandle((element) => {
    const was = element.className
    let at = 0
    addEventListener("click", ({ timeStamp }) => (at = timeStamp), { capture: true, once: true })
    const answer = new Promise<number>((resolve) => {
      const observer = new MutationObserver(() => {
        if (element.className === was) return
        observer.disconnect()
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - at)))
      })
      observer.observe(element, { attributes: true, attributeFilter: ["class"] })
    })
    return { answer }
  })
  const box = await target.boundingBox()
  if (!box) throw new Error("There is nothing to press.")
  await page.mouse.click(box.x + Math.min(60, box.width / 2), box.y + box.height / 2)
  return watched.evaluate(({ answer }) => answer)
}
