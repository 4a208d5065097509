import { writeFileSync } from "node:fs"
import { expect, test } from "@playwright/test"
import { coldLoad, mostBytes, type Load } from "@/e2e/support/cold-load"
import { addImport, createSampleOrganization, inviteSomebody } from "@/e2e/support/sample-organization"
import { allPages } from "@/e2e/support/pages"

/** Its reader is loaded after the first paint. */
const exempt = ["/docs/reference"]
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

test(`no page asks for more than ${mostScripts} scripts in its HTML`, async ({ baseURL }) => {
  const { cookie, ids } = await createSampleOrganization("first-scripts")
  const counts: Record<string, number> = {}
  for (const { template, path } of allPages(ids)) {
    const html = await (await fetch(`${baseURL}${path}`, { headers: { cookie } })).text()
    const scripts = html.match(/<script[^>]* src="[^>]*>/g) ?? []
    counts[template] = scripts.filter((script) => !/nomodule/i.test(script)).length
  }
  expect(Object.values(counts)).not.toContain(0)
  expect(Object.entries(counts).filter(([, count]) => count > mostScripts)).toEqual([])
})

test(`no page loads more than ${mostBytes / 1000} kB of scripts at first`, async ({ browser, baseURL }, info) => {
  test.setTimeout(300_000)
  const own = await createSampleOrganization("first-load")
  const { cookie } = own
  const invite = await inviteSomebody(own, "first-load-guest@example.com")
  const ids = { ...own.ids, importId: await addImport(own) }
  const rows: (Load & { template: string })[] = []
  // The first run is over: journey.spec.ts measures its page.
  const waiting = allPages(ids).filter(({ template }) => template !== "/setup")
  expect(waiting.filter(({ path }) => path.includes("/nothing"))).toEqual([])
  const lane = async () => {
    for (let page = waiting.shift(); page; page = waiting.shift()) {
      const { template } = page
      const path = template === "/invite" ? invite.pathname + invite.search : page.path
      rows.push({
        template,
        ...(await coldLoad(browser, `${baseURL}${path}`, template.startsWith("/projects") ? cookie : "")),
      })
    }
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
  expect(
    rows
      .filter(({ bytes, template }) => bytes > mostBytes && !exempt.includes(template))
      .map(({ template }) => template),
  ).toEqual([])
  expect(rows.filter(({ bytes }) => bytes === 0)).toEqual([])
})
