import { writeFileSync } from "node:fs"
import { expect, test } from "@playwright/test"
import { coldLoad, mostBytes, type Load } from "@/e2e/support/cold-load"
import { everyPage } from "@/e2e/support/every-page"
import { createSampleOrganization } from "@/e2e/support/sample-organization"

/** Of a page's HTML: each one more delays its first paint by over a millisecond. */
const mostScripts = 10

test("what is largest on a page comes with its HTML, not with a request of its scripts", async () => {
  const { baseUrl, cookie, ids } = await createSampleOrganization("first-html")
  const project = `/projects/${ids.projectId}`
  const pages = {
    "/webhooks/new": "Body to send",
    [`/webhooks/${ids.webhookId}`]: "latest events has one of these types",
    [`/webhooks/${ids.webhookId}/edit`]: "latest events has one of these types",
    [`/topics/${ids.topicId}`]: "Contacts choose topics on the preference page",
  }
  for (const [page, text] of Object.entries(pages)) {
    // A page waits 400 ms for its reads; a process that has just started may take longer for its first ones.
    await expect
      .poll(
        async () => {
          const html = await (await fetch(`${baseUrl}${project}${page}`, { headers: { cookie } })).text()
          return [html.includes(text), /aria-label="Loading/.test(html)]
        },
        { message: page },
      )
      .toEqual([true, false])
  }
})

test(`no page asks for more than ${mostScripts} scripts in its HTML`, async () => {
  const counts: [template: string, scripts: number][] = []
  for (const { template, url, cookie } of await everyPage("first-scripts")) {
    const html = await (await fetch(url, { headers: { cookie } })).text()
    const scripts = html.match(/<script[^>]* src="[^>]*>/g) ?? []
    counts.push([template, scripts.filter((script) => !/nomodule/i.test(script)).length])
  }
  expect(counts.filter(([, count]) => count === 0 || count > mostScripts)).toEqual([])
})

test(`no page loads more than ${mostBytes / 1000} kB of scripts at first`, async ({ browser }, info) => {
  // It opens all of them: on a machine three times slower that takes so long.
  test.setTimeout(900_000)
  const rows: (Load & { template: string })[] = []
  // journey.spec.ts measures the page of the first run.
  const waiting = await everyPage("first-load")
  expect(waiting.filter(({ url }) => url.includes("/nothing"))).toEqual([])
  const lane = async () => {
    for (let page = waiting.shift(); page; page = waiting.shift())
      rows.push({ template: page.template, ...(await coldLoad(browser, page.url, page.cookie)) })
  }
  // Mostly it waits for a page to be quiet.
  await Promise.all(Array.from({ length: 4 }, lane))

  rows.sort((a, b) => b.bytes - a.bytes)
  const table = rows
    .map(
      ({ template, bytes, files }) =>
        `${(bytes / 1000).toFixed(1).padStart(7)} kB ${String(files.length).padStart(3)} scripts  ${template}`,
    )
    .join("\n")
  process.stdout.write(`\nFirst-load JavaScript, as transferred:\n${table}\n`)
  const detail = rows
    .map(({ template, files }) => `${template}\n${files.map(([name, bytes]) => `  ${bytes} ${name}`).join("\n")}`)
    .join("\n")
  writeFileSync(info.outputPath("first-load.txt"), `${table}\n\n${detail}\n`)
  expect(rows.filter(({ bytes }) => bytes > mostBytes).map(({ template }) => template)).toEqual([])
  expect(rows.filter(({ bytes }) => bytes === 0)).toEqual([])
})
