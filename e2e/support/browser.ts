import { existsSync, readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { expect, type Locator, type Page } from "@playwright/test"
import type axe from "axe-core"
import type { RunOptions } from "axe-core"

/** Without its comments and long names it takes a page half of the time to read. */
const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** Fails the test for whatever a page writes to the console as an error, and for every request beyond our own origin. */
export function watch(page: Page): { faults: string[] } {
  const faults: string[] = []
  page.on("console", (message) => {
    // Chromium notes every refused request as an error, the ones that a test provokes too.
    const refused = /^Failed to load resource: the server responded with a status of 4\d\d/.test(message.text())
    // The recorder of traces reads what a page shows once more, by a request that our policy refuses as it should.
    const recorded = message.text().startsWith("Connecting to 'blob:")
    if (message.type() === "error" && !refused && !recorded)
      faults.push(`console.error: ${message.text()} at ${message.location().url}`)
  })
  page.on("response", (response) => {
    const requestId = response.headers()["x-request-id"]
    if (response.status() < 500 || !requestId) return
    const place =
      faults.push(`${response.status()} of ${response.request().method()} ${response.url()}: request ${requestId}`) - 1
    void loggedOf(requestId).then((line) => {
      faults[place] = `${faults[place]}: ${line}`
    })
  })
  page.on("pageerror", (error) => faults.push(`uncaught: ${error.message} at ${page.url()}`))
  page.on("request", (request) => {
    const { protocol, origin } = new URL(request.url())
    if (protocol.startsWith("http") && origin !== new URL(page.url()).origin && page.url() !== "about:blank")
      faults.push(`request to ${origin}`)
  })
  return { faults }
}

/** What the product wrote to its logs about a request, within ten seconds: the answer itself hides why it failed. */
async function loggedOf(requestId: string): Promise<string> {
  const folder = join(process.env.E2E_DATA_DIR ?? "", "logs")
  if (!existsSync(folder)) return "without a log"
  for (let waits = 0; waits < 40; waits++) {
    const files = readdirSync(folder).filter((name) => name.endsWith(".log"))
    const lines = files.flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n"))
    const line = lines.findLast((one) => one.includes(requestId))
    if (line) return line
    await sleep(250)
  }
  return "of which the logs have nothing"
}

/** Reaches a control with the Tab key alone, as keyboard users do. */
export async function tabTo(page: Page, target: Locator, most = 120) {
  await expect(target).toBeVisible()
  for (let presses = 0; presses < most; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press("Tab")
  }
  throw new Error(`${target} cannot be reached with the Tab key.`)
}

/** Tabs to a field and types. */
export async function type(page: Page, field: Locator, text: string) {
  await tabTo(page, field)
  await page.keyboard.press("ControlOrMeta+A")
  await page.keyboard.type(text)
}

/** Tabs to a button or link and presses Enter. */
export async function press(page: Page, target: Locator) {
  await tabTo(page, target)
  await page.keyboard.press("Enter")
}

/** axe finds nothing serious on the page in its current state, in light and in dark, and it does not scroll sideways at 768 and 390 px. */
export async function expectAccessible(page: Page) {
  // A navigation takes the former title away a moment before it brings the next.
  await expect(page).toHaveTitle(/./)
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" })
    await page.waitForFunction(isAtRest)
    const serious = await violationsOf(page, rulesOf[scheme])
    expect(serious, `${page.url()} in ${scheme}`).toEqual([])
  }
  const size = page.viewportSize()
  for (const [width, height] of [
    [768, 1024],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height })
    expect(await overflowPx(page), `${page.url()} scrolls sideways at ${width} px`).toBeLessThanOrEqual(0)
  }
  if (size) await page.setViewportSize(size)
}

/** How much wider the page is than what is seen of it, in pixels. A place is kept for the scroll bar, where there is one. */
export function overflowPx(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
}

/** The scheme changes colours and nothing else: what else there is to find was found in light. */
const rulesOf: Record<"light" | "dark", RunOptions["runOnly"]> = {
  light: { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] },
  dark: { type: "rule", values: ["color-contrast", "link-in-text-block"] },
}

/** In the page: no colour is on its way to another, and no part is dimmed since its next data are on their way. */
function isAtRest(): boolean {
  const isMoving = document.getAnimations().some((one) => one instanceof CSSTransition)
  return !isMoving && !document.querySelector("[aria-busy=true]:not(button)")
}

/** What axe finds that is serious, as the rule and the element. */
async function violationsOf(page: Page, runOnly: RunOptions["runOnly"]): Promise<string[]> {
  // A document keeps it, which takes a tenth of a second to read.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axeSource)
  return page.evaluate(
    async (options) => {
      const { run } = (window as unknown as { axe: typeof axe }).axe
      // A mail's own content is not ours to judge; its frames are the only ones.
      const { violations } = await run({ exclude: "iframe[sandbox]" }, options)
      const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical")
      return serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
    },
    { runOnly, iframes: false, resultTypes: ["violations"] } satisfies RunOptions,
  )
}

/** A dialog that shows something this once survives Escape and a press beside it, and the browser asks before the tab goes. */
export async function expectLocked(page: Page, dialog: Locator) {
  await page.keyboard.press("Escape")
  await page.keyboard.press("Escape")
  await page.mouse.click(4, 4)
  await expect(dialog).toBeVisible()
  const leaves = () => page.evaluate(() => window.dispatchEvent(new Event("beforeunload", { cancelable: true })))
  expect(await leaves()).toBe(false)
}

/** Resolves once React has taken over this part of the page: a press that comes earlier is lost on a busy machine. */
export async function takenOver(page: Page, selector: string): Promise<void> {
  await page.waitForFunction(
    (selected) => Object.keys(document.querySelector(selected) ?? {}).some((key) => key.startsWith("__react")),
    selector,
  )
}
