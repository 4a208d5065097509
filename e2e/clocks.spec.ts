import { expect, test } from "@playwright/test"
import { watch } from "@/e2e/support/browser"
import { everyPage } from "@/e2e/support/every-page"
import { productDatabase } from "@/e2e/support/signed-in"
import { decodeId } from "@/lib/platform/ids"
import { dayMs, hourMs } from "@/lib/platform/time"

/** Those with words such as "tomorrow", which are other words a day later. */
const withTimes = [
  "",
  ...["/api-keys", "/api-keys/[keyId]", "/domains/[domainId]", "/emails", "/emails/[emailId]", "/logs"],
  ...["/settings/members", "/settings/sending", "/webhooks", "/webhooks/new", "/webhooks/[webhookId]"],
].map((path) => `/projects/[projectId]${path}`)

test("a page is taken over as the server wrote it by a browser whose clock is a day ahead", async ({ browser }) => {
  const waiting = (await everyPage("clocks")).filter(({ template }) => withTimes.includes(template))
  expect(waiting).toHaveLength(withTimes.length)
  const project = /\/projects\/(\w+)/.exec(waiting[0]?.url ?? "")?.[1] ?? ""
  const database = await productDatabase()
  await database.query("UPDATE api_keys SET expires_at = now() + interval '1 day' WHERE project_id = $1", [
    decodeId("proj", project),
  ])
  await database.end()

  const faults: string[] = []
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const context = await browser.newContext({ extraHTTPHeaders: { cookie: next.cookie } })
      const page = await context.newPage()
      const seen = watch(page)
      // On a slow machine parts are taken over long after the page around them has gone on.
      await (await context.newCDPSession(page)).send("Emulation.setCPUThrottlingRate", { rate: 4 })
      await page.clock.setFixedTime(Date.now() + dayMs + hourMs)
      await page.goto(next.url)
      await page.waitForLoadState("networkidle")
      // The clock is set in frames too, where the sandbox of an email's content refuses it with an error of the console.
      const uncaught = seen.faults.filter((fault) => fault.startsWith("uncaught"))
      faults.push(...uncaught.map((fault) => `${next.template}: ${fault}`))
      await context.close()
    }
  }
  await Promise.all(Array.from({ length: 3 }, lane))
  expect(faults).toEqual([])
})
