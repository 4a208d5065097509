import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as wait } from "node:timers/promises"
import { expect, test, type Browser } from "@playwright/test"
import { buildFloor, startFloor } from "@/e2e/bench/floor"
import { wholeBrowser } from "@/e2e/support/launch"
import { everyPage } from "@/e2e/support/every-page"

const rounds = 9
const floorPort = 4377
/** Of the bare page's time. */
const goal = 2.5

// As people use it, and coming from another site, as they do with a link, a bookmark or an address: Chromium then starts a process
// for every page. From the blank page that a test begins with, it starts one for ours alone, because of their headers.
test.use({ launchOptions: wholeBrowser })

// Times of a browser are told apart only on a machine that does nothing else, so this is for `npm run test:long`.
test("the largest paint of every page comes soon after that of a bare page", async ({ browser }, info) => {
  test.skip(process.env.MAILROOM_LONG !== "1", "part of npm run test:long")
  test.setTimeout(1_800_000)
  const only = new RegExp(process.env.MAILROOM_PAGES ?? ".")
  // The address without a path only leads to another page.
  const pages = (await everyPage("paint")).filter(({ template }) => template !== "/" && only.test(template))
  const floor = startFloor(
    buildFloor(() => undefined),
    floorPort,
  )
  const elsewhere = createServer((_, response) =>
    response.setHeader("Content-Type", "text/html").end("<p>Another site</p>"),
  )
  await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve))
  const from = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`
  try {
    const bareUrl = `http://localhost:${floorPort}/`
    await answers(bareUrl)
    // The load is cold in the browser, not in the server: every page is requested as often beforehand as the bare page during the
    // loads. Two requests at a time keep all web processes busy.
    for (const { url, cookie } of pages) {
      const visit = async () => (await fetch(url, { headers: { cookie } })).text()
      for (let visits = 0; visits < pages.length * (rounds + 1); visits += 2) await Promise.all([visit(), visit()])
    }
    const loads = new Map(pages.map(({ template }): [string, Paint[]] => [template, []]))
    const bares: Paint[] = []
    // The bare page before each of ours, as it varies most: 40 to 100 ms. The first round warms up.
    for (let round = 0; round <= rounds; round++) {
      for (const { template, url, cookie } of pages) {
        const bare = await paintOf(browser, { from, url: bareUrl }, "")
        if (round > 0) bares.push(bare)
        const paint = await paintOf(browser, { from, url }, cookie)
        if (round > 0) loads.get(template)?.push(paint)
      }
    }
    const of = (all: Paint[], part: "answered" | "first" | "largest") => median(all.map((paint) => paint[part]))
    const bare = of(bares, "largest")
    const rows = [["bare page", bares] as const, ...loads].map(([name, all]) => ({
      name,
      all,
      ratio: of(all, "largest") / bare,
    }))
    const ms = (value: number) => value.toFixed(0).padStart(5)
    const table = rows
      .map(
        ({ name, all, ratio }) =>
          `${name.replace("/projects/[projectId]", "…").padEnd(34)} ${ms(of(all, "answered"))} ${ms(of(all, "first"))} ${ms(of(all, "largest"))}  ${ratio.toFixed(2)} x${ratio > goal ? `, over the goal of ${goal}` : ""}  ${all.at(-1)?.element}`,
      )
      .join("\n")
    process.stdout.write(
      `\nFirst byte, first and largest contentful paint in ms, medians of ${rounds} cold loads, and the element of the last one:\n${table}\n`,
    )
    await info.attach("paint.txt", { body: table, contentType: "text/plain" })
    // The ratio is a goal and no gate: it moves with what else the machine does.
    for (const { name, ratio } of rows) expect(ratio, name).toBeGreaterThan(0)
  } finally {
    floor.kill()
    elsewhere.close()
  }
})

type Paint = { answered: number; first: number; largest: number; element: string }

async function paintOf(browser: Browser, { from, url }: { from: string; url: string }, cookie: string): Promise<Paint> {
  const context = await browser.newContext()
  const { origin, port } = new URL(url)
  const ours = port !== String(floorPort)
  if (cookie && ours)
    await context.addCookies(
      cookie
        .split("; ")
        .map((pair) => ({ name: pair.split("=")[0] ?? "", value: pair.slice(pair.indexOf("=") + 1), url: origin })),
    )
  const page = await context.newPage()
  await page.goto(from)
  // Chromium keeps a process ready for the next site, once a page has come to rest.
  await page.waitForTimeout(500)
  await page.goto(url, { waitUntil: "load" })
  if (ours) await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible()
  await page.waitForTimeout(300)
  const paint = await page.evaluate(
    () =>
      new Promise<Paint>((resolve) => {
        new PerformanceObserver((list) => {
          const last = list.getEntries().at(-1) as PerformanceEntry & { element?: Element }
          const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[]
          resolve({
            answered: navigation?.responseStart ?? Number.NaN,
            first: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN,
            largest: last.startTime,
            element: `${last.element?.tagName.toLowerCase()} ${last.element?.textContent.slice(0, 40) ?? ""}`,
          })
        }).observe({ type: "largest-contentful-paint", buffered: true })
      }),
  )
  await context.close()
  return paint
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN
}

async function answers(url: string) {
  const deadline = Date.now() + 30_000
  while (
    !(await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (Date.now() > deadline) throw new Error(`${url} does not answer.`)
    await wait(100)
  }
}
