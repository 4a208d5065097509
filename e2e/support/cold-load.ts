import { expect, type Browser } from "@playwright/test"

/** gzip, in bytes, of the scripts of one cold load. */
export const mostBytes = 200_000

export type Load = { bytes: number; files: [name: string, bytes: number][] }

/**
 * Opens the page in a browser that has never seen it, and counts the bytes of the scripts as they come over the wire, that is
 * gzipped. `last`: how the address of a script begins that the page asks for after the others, however late.
 */
export async function coldLoad(browser: Browser, url: string, cookie: string, last?: string): Promise<Load> {
  const context = await browser.newContext()
  const origin = new URL(url).origin
  if (cookie)
    await context.addCookies(
      cookie
        .split("; ")
        .map((pair) => ({ name: pair.split("=")[0] ?? "", value: pair.slice(pair.indexOf("=") + 1), url: origin })),
    )
  // What is fetched for the pages behind the links is not this page's load.
  await context.route("**", (route) =>
    route.request().headers()["next-router-prefetch"] ? route.abort() : route.continue(),
  )
  const page = await context.newPage()
  const wire = await context.newCDPSession(page)
  await wire.send("Network.enable")
  await wire.send("Network.setCacheDisabled", { cacheDisabled: true })
  // The limit is in gzip, as every proxy and browser speaks it; brotli takes a tenth less.
  await wire.send("Network.setExtraHTTPHeaders", { headers: { "Accept-Encoding": "gzip" } })
  const scripts = new Map<string, { name: string; bytes: number; head: number }>()
  wire.on("Network.responseReceived", ({ requestId, type, response }) => {
    if (type === "Script")
      scripts.set(requestId, { name: response.url.slice(origin.length), bytes: 0, head: response.encodedDataLength })
  })
  wire.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const script = scripts.get(requestId)
    if (script) script.bytes = encodedDataLength - script.head
  })
  const answer = await page.goto(url)
  expect(answer?.ok(), url).toBe(true)
  await page.waitForLoadState("load")
  // What a page fetches once it runs is part of its load too; a page with an event stream is never idle.
  await page.waitForLoadState("networkidle", { timeout: 5_000 }).catch(() => undefined)
  await expect(page.locator(".animate-pulse")).toHaveCount(0, { timeout: 45_000 })
  const isAsked = () => last === undefined || [...scripts.values()].some(({ name }) => name.startsWith(last))
  await expect.poll(isAsked, { message: last, timeout: 45_000 }).toBe(true)
  // Event streams never end, so quiet is: nothing new for half a second.
  await expect
    .poll(async () => unchanged(page, () => JSON.stringify([...scripts.values()])), { timeout: 20_000, intervals: [0] })
    .toBe(true)
  // An empty state or error page loads less than the page to measure.
  await expect(page.getByRole("heading", { name: /not valid|nothing at this address|not found/ })).toHaveCount(0)
  await context.close()
  const files = [...scripts.values()]
    .map(({ name, bytes }): [string, number] => [name, bytes])
    .sort((a, b) => b[1] - a[1])
  return { bytes: files.reduce((sum, [, bytes]) => sum + bytes, 0), files }
}

async function unchanged(page: { waitForTimeout(ms: number): Promise<void> }, state: () => string): Promise<boolean> {
  const before = state()
  await page.waitForTimeout(500)
  return state() === before
}
