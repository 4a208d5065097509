import { expect, test, type Page } from "@playwright/test"
import { takenOver, watch } from "@/e2e/support/browser"
import { createSampleOrganization, type SampleOrganization } from "@/e2e/support/sample-organization"
import { becomeOwner } from "@/e2e/support/signed-in"

// Parts of a page whose code is loaded after the page, here the operator's steps for a domain.

let own: SampleOrganization
let domain: { id: string; domain: string }

test.beforeAll(async ({ browserName: _browser }, info) => {
  own = await createSampleOrganization(`late-${info.workerIndex}`)
  const response = await fetch(`${own.baseUrl}/v1/projects/${own.projectId}/domains`, {
    method: "POST",
    headers: { authorization: `Bearer ${own.apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ domain: `late-${info.workerIndex}.example`, region: "eu-west-1" }),
  })
  domain = (await response.json()) as typeof domain
})

/** Holds back the script with this text until the returned function is called. */
async function holdScript(page: Page, text: string): Promise<() => void> {
  let release = () => undefined as void
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route(/\/_next\/static\/.*\.js/, async (route) => {
    const response = await route.fetch()
    if ((await response.text()).includes(text)) await released
    await route.fulfill({ response })
  })
  return release
}

/**
 * Opens the page as the server draws it when its reads are done in time. A busy one sends the placeholder of a read that takes
 * longer than 0.4 s: then it is asked again.
 */
async function openDrawn(page: Page, path: string, text: string): Promise<void> {
  await page.route(`${own.baseUrl}${path}`, async (route) => {
    let response = await route.fetch()
    while (!(await response.text()).includes(text)) response = await route.fetch()
    await route.fulfill({ response })
  })
  await page.goto(path, { waitUntil: "commit" })
}

/** Answers every request for this object of a project with other values of these fields; resolves once the page has asked. */
async function changeObject(page: Page, path: string, fields: Record<string, string>): Promise<void> {
  await new Promise<void>((resolve) => {
    void page.route(`**/v1/projects/*/${path}`, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), ...fields } })
      resolve()
    })
  })
}

/** All that moves, from the first paint on. The font does not come: text in its fallback has other widths, so that it would move all of it. */
async function watchShifts(page: Page): Promise<() => Promise<{ sum: number; moved: string[] }>> {
  await page.route("**/*.woff2", (route) => route.fulfill({ status: 404 }))
  await page.addInitScript(() => {
    type Shift = PerformanceEntry & { value: number; sources: { node: Node | null }[] }
    const seen = Object.assign(window, { shifts: [] as { value: number; moved: string }[] })
    new PerformanceObserver((list) => {
      for (const { startTime: at, value, sources } of list.getEntries() as Shift[]) {
        const texts = sources.map(({ node }) => `${node?.nodeName} "${node?.textContent?.slice(0, 40)}"`)
        seen.shifts.push({ value, moved: `${value.toFixed(3)} after ${Math.round(at)} ms: ${texts.join(", ")}` })
      }
    }).observe({ type: "layout-shift", buffered: true })
  })
  return () =>
    page.evaluate(() => {
      const { shifts } = window as unknown as { shifts: { value: number; moved: string }[] }
      return { sum: shifts.reduce((sum, { value }) => sum + value, 0), moved: shifts.map(({ moved }) => moved) }
    })
}

test("what the server draws is in its place in the HTML, not moved there by a script", async ({ context }) => {
  await becomeOwner(context, own)
  const at = `${own.baseUrl}/projects/${own.projectId}/domains/${domain.id}`
  let html = ""
  // A busy server sends placeholders for what takes it longer than 0.4 s.
  await expect
    .poll(async () => (html = await (await context.request.get(at)).text()))
    .toContain("Three steps set it up")
  expect(html.indexOf("Three steps set it up")).toBeLessThan(html.indexOf("What the domain needs"))
})

test("the preview of a webhook without deliveries stays while its code is late, though the webhook changes", async ({
  page,
  context,
}) => {
  const { faults } = watch(page)
  await becomeOwner(context, own)
  const release = await holdScript(page, "latest events has one of these types")
  const renamed = changeObject(page, `webhooks/${own.ids.webhookId}`, { name: "Renamed elsewhere" })
  await openDrawn(
    page,
    `/projects/${own.projectId}/webhooks/${own.ids.webhookId}`,
    "latest events has one of these types",
  )
  // The page asks for its webhook every 15 s.
  await renamed
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Renamed elsewhere")
  await page.waitForTimeout(500)
  const preview = page.getByText("latest events has one of these types")
  await expect(preview).toBeVisible({ timeout: 100 })
  const code = page.waitForResponse(/\/_next\/static\/.*\.js/)
  release()
  await code
  await page.waitForTimeout(500)
  await expect(preview).toBeVisible({ timeout: 100 })
  expect(faults).toEqual([])
  await page.unrouteAll({ behavior: "wait" })
})

test("what the server drew stays while its code is late, though the page updates, and takes the update then", async ({
  page,
  context,
}) => {
  const { faults } = watch(page)
  await becomeOwner(context, own)
  const shifts = await watchShifts(page)
  const release = await holdScript(page, "Three steps set it up")
  // Of the same letters, so that the name itself moves nothing.
  const name = domain.domain.replace("late", "tale")
  const renamed = changeObject(page, `domains/${domain.id}`, { domain: name })
  await openDrawn(page, `/projects/${own.projectId}/domains/${domain.id}`, "Three steps set it up")
  const steps = page.getByRole("region", { name: "Sending set-up" })
  await renamed
  await expect(page.getByRole("heading", { level: 1 })).toContainText(name)
  await page.waitForTimeout(500)
  await expect(steps).toContainText(`email from ${domain.domain} is not delivered`, { timeout: 100 })
  release()
  await expect(steps).toContainText(`email from ${name} is not delivered`)
  const { sum, moved } = await shifts()
  expect(sum, moved.join("; ")).toBeLessThan(0.01)
  expect(faults).toEqual([])
  await page.unrouteAll({ behavior: "wait" })
})

test("a press on a button whose code has not come is done once it has", async ({ page, context }) => {
  const { faults } = watch(page)
  await becomeOwner(context, own)
  await context.grantPermissions(["clipboard-write"])
  const release = await holdScript(page, "Three steps set it up")
  await openDrawn(page, `/projects/${own.projectId}/domains/${domain.id}`, "Three steps set it up")
  // Not the load event: code that the page asks for before it holds it back.
  await takenOver(page, "main")
  const copy = page.getByRole("region", { name: "Sending set-up" }).getByRole("button", { name: "Copy all steps" })
  await copy.click()
  await page.waitForTimeout(500)
  release()
  await expect(page.getByRole("button", { name: "Copied" })).toHaveCount(1)
  expect(faults).toEqual([])
  await page.unrouteAll({ behavior: "wait" })
})
